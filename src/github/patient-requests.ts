import { RequestError } from '@octokit/request-error';
import type { Octokit } from '@octokit/rest';
import type { Clock } from '../domain/ports/clock.ts';
import { connectionCode, forgeError, hasNoAnswer, isLimited, statusOf, toForgeError } from './forge-failure.ts';
import type { GitHubLog } from './github-log.ts';

export interface Patience {
  clock: Clock;
  log: GitHubLog;
  /** Seconds that one request may wait for rate limits, all waits together. */
  limitSeconds: number;
  /** Seconds between attempts at what failed by chance; 1, 4 and 16 when absent. */
  pauses?: readonly number[];
  /** Ends every request and every wait of this client; its reason is what comes out. */
  signal?: AbortSignal | undefined;
  /** Seconds after which an attempt without an answer is given up; GitHub itself gives up after 10. 60 when absent. */
  answerSeconds?: number | undefined;
  /** The authorization header of each attempt; `renew` asks for a new token after the old one was refused. */
  authorization?: (renew: boolean) => Promise<string>;
}

const transientPauses = [1, 4, 16];
const ANSWER_SECONDS = 60;
const idempotent = new Set(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']);

/** For a POST whose repetition changes nothing, such as a blob: `request: repeatable`. */
export const repeatable = { repeatable: true };

/**
 * Makes every request of this client wait out rate limits (nothing was done then, so any method is sent again), repeat
 * what failed by chance where repeating is harmless, and take a new token once. A POST is otherwise sent once: whoever
 * wants it again has to look first. All errors come out as ForgeError.
 */
export function makePatient(octokit: Octokit, patience: Patience): void {
  octokit.hook.wrap('request', async (request, options) => {
    const method = options.method;
    const what = `${method} ${options.url}`;
    const again = idempotent.has(method) || options.request?.['repeatable'] === true;
    using following = follow(patience.signal);
    const { signal } = following;
    const answerMs = (patience.answerSeconds ?? ANSWER_SECONDS) * 1000;
    const state = { transient: 0, waited: 0, renewals: 0 };
    let renewal = 0;
    for (;;) {
      signal.throwIfAborted();
      try {
        const renew = state.renewals > renewal;
        renewal = state.renewals;
        options.request = { ...options.request, signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]) };
        return await attempt(request, options, patience, renew);
      } catch (error) {
        signal.throwIfAborted();
        const pause = pauseAfter(error, again, state, patience);
        if (pause === undefined) throw toForgeError(error, what);
        const told = { what, seconds: pause, status: statusOf(error), error: connectionCode(error) };
        if (pause > 0) patience.log.warn(told, 'waiting before a request');
        await patience.clock.sleep(pause * 1000, signal);
      }
    }
  });
}

/** A signal of the request's own: fetch leaves something hanging on the one that it gets until that is collected. */
function follow(signal: AbortSignal | undefined): { signal: AbortSignal } & Disposable {
  const own = new AbortController();
  const abort = () => own.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return { signal: own.signal, [Symbol.dispose]: () => signal?.removeEventListener('abort', abort) };
}

async function attempt<
  Options extends { url: string; headers: { authorization?: string | undefined } },
  Answer extends { status: number; headers: { 'content-type'?: string | undefined }; data: unknown },
>(
  request: (options: Options) => Answer | Promise<Answer>,
  options: Options,
  patience: Patience,
  renew: boolean,
): Promise<Answer> {
  if (patience.authorization !== undefined) options.headers.authorization = await patience.authorization(renew);
  const response = await request(options);
  // Followed by fetch, a redirected POST would arrive as a GET, and a moved issue would be written to elsewhere.
  if (response.status >= 300) throw forgeError('gone', `${options.url}: GitHub says that it has moved.`);
  if (isBroken(response)) throw new RequestError('the answer is not whole', 500, { request: options as never });
  return response;
}

/** Octokit gives what broke off, or is a proxy's page, as text: of a list of comments nothing would seem to be there. */
function isBroken({ headers, data }: { headers: { 'content-type'?: string | undefined }; data: unknown }): boolean {
  return typeof data === 'string' && /^(application\/json|text\/html)/.test(headers['content-type'] ?? '');
}

/** Seconds to wait before the next attempt; undefined when there is none. */
function pauseAfter(
  error: unknown,
  again: boolean,
  state: { transient: number; waited: number; renewals: number },
  patience: Patience,
): number | undefined {
  const status = statusOf(error);
  if (status === 401 && state.renewals === 0 && patience.authorization !== undefined) {
    state.renewals = 1;
    return 0;
  }
  if (isLimited(error)) {
    const seconds = secondsOfLimit(error as RequestError, patience.clock.now());
    state.waited += seconds;
    return state.waited > patience.limitSeconds ? undefined : seconds;
  }
  const byChance = hasNoAnswer(error) || (status !== undefined && status >= 500);
  return byChance && again ? (patience.pauses ?? transientPauses)[state.transient++] : undefined;
}

/** GitHub's advice: `retry-after`, else the reset of an exhausted quota, else at least a minute. */
function secondsOfLimit(error: RequestError, now: Date): number {
  const headers = error.response?.headers ?? {};
  const after = Number(headers['retry-after']);
  if (Number.isFinite(after)) return Math.max(1, after);
  const reset = Number(headers['x-ratelimit-reset']);
  if (headers['x-ratelimit-remaining'] !== '0' || !Number.isFinite(reset)) return 60;
  return Math.max(1, Math.ceil(reset - now.getTime() / 1000) + 1);
}
