import { CancelledError } from '../domain/errors.ts';
import type { ChatRequest, Clock } from '../domain/ports/index.ts';
import { explainFailure, type Failure } from './explain-failure.ts';
import type { ApiReply, ModelApi } from './model-api.ts';
import type { OptionalPart } from './request-parts.ts';

export type Outcome = { reply: ApiReply } | { failure: Failure };

/** Asks a model once and says what came of it. @throws CancelledError when `signal` was aborted. */
export type Attempt = (
  request: ChatRequest,
  without: ReadonlySet<OptionalPart>,
  ms: number,
  signal: AbortSignal,
) => Promise<Outcome>;

/** One attempt through `api`, given up after `ms` of the clock. */
export function attemptThrough(api: ModelApi, clock: Clock): Attempt {
  let reached = false;
  return async (request, without, ms, signal) => {
    const timer = new AbortController();
    const over = new AbortController();
    clock.sleep(ms, over.signal).then(
      () => timer.abort(),
      () => {},
    );
    try {
      if (signal.aborted) throw cancelledBy(signal);
      const reply = await api.ask(request, without, AbortSignal.any([signal, timer.signal]));
      reached = true;
      return isEmpty(reply) ? { failure: emptyReply(reply) } : { reply };
    } catch (error) {
      if (signal.aborted) throw cancelledBy(signal);
      if (timer.signal.aborted) return { failure: timedOut(ms, error) };
      return { failure: explainFailure(error, { now: clock.now(), reached }) };
    } finally {
      over.abort();
    }
  };
}

export function cancelledBy(signal: AbortSignal): CancelledError {
  const reason: unknown = signal.reason;
  return reason instanceof CancelledError
    ? reason
    : new CancelledError(typeof reason === 'string' ? reason : 'the caller');
}

const isEmpty = (reply: ApiReply): boolean =>
  reply.text.trim() === '' && reply.toolCalls.length === 0 && reply.finish !== 'length';

function emptyReply(reply: ApiReply): Failure {
  if (reply.finish === 'filtered') {
    return {
      kind: 'final',
      failure: 'refused',
      what: "the provider's content filter kept the reply back",
      cause: undefined,
    };
  }
  return {
    kind: 'passing',
    failure: 'invalid-reply',
    what: 'the reply is empty',
    cause: undefined,
    wasted: reply.usage,
  };
}

const timedOut = (ms: number, cause: unknown): Failure => ({
  kind: 'passing',
  failure: 'unreachable',
  what: `no whole reply within ${Math.round(ms / 1000)} seconds`,
  cause,
});
