import type { ChatRequest, Clock } from '../domain/ports/index.ts';
import type { TokenUsage } from '../domain/usage.ts';
import { type Attempt, cancelledBy, type Outcome } from './attempt.ts';
import type { Failure } from './explain-failure.ts';
import type { OptionalPart } from './request-parts.ts';
import { addUsage } from './token-usage.ts';

/** How long and how often one request is tried. */
export interface PatienceLimits {
  /** Attempts in all. */
  tries: number;
  /** Seconds of one attempt. */
  callSeconds: number;
  /** Seconds of all attempts and the waits between them. */
  totalSeconds: number;
}

/** One wait between two attempts, for a log. */
export interface RetryNotice {
  request: Pick<ChatRequest, 'role' | 'agent' | 'step' | 'settings'>;
  tries: number;
  waitMs: number;
  what: string;
}

export interface PatienceTools {
  attempt: Attempt;
  clock: Clock;
  /** Evenly distributed in [0, 1). */
  random: () => number;
  onRetry: (notice: RetryNotice) => void;
}

/** The patience with one request: tries and time are shared by everything that is asked for its sake. */
export interface Patience {
  ask(request: ChatRequest, without: ReadonlySet<OptionalPart>, signal: AbortSignal): Promise<Outcome>;
  /** One attempt, whatever comes of it. */
  askOnce(request: ChatRequest, without: ReadonlySet<OptionalPart>, signal: AbortSignal): Promise<Outcome>;
  /** Tokens of replies that were paid for and held nothing. */
  wasted(): TokenUsage;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Repeats what may pass: exponential backoff with full jitter (the wait is drawn from zero to the bound, which doubles),
 * and never sooner than the server asked for. Where the server asks for more time than is left, it gives up at once.
 */
export function patience(limits: PatienceLimits, tools: PatienceTools): Patience {
  const { attempt, clock } = tools;
  const until = clock.monotonic() + limits.totalSeconds * 1000;
  let tries = 0;
  let wasted: TokenUsage = { input: 0, cached: 0, output: 0, reasoning: 0 };

  const askOnce: Patience['askOnce'] = (request, without, signal) => {
    tries += 1;
    const left = until - clock.monotonic();
    return attempt(request, without, Math.max(1, Math.min(limits.callSeconds * 1000, left)), signal);
  };

  const waitFor = (failure: Failure): number | undefined => {
    if (failure.kind !== 'passing' || tries >= limits.tries) return undefined;
    const bound = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
    const ms = Math.round((failure.afterMs ?? 0) + tools.random() * bound);
    return clock.monotonic() + ms < until ? ms : undefined;
  };

  return {
    askOnce,
    wasted: () => wasted,
    async ask(request, without, signal) {
      for (;;) {
        const outcome = await askOnce(request, without, signal);
        if ('reply' in outcome) return outcome;
        const { failure } = outcome;
        if (failure.kind === 'passing' && failure.wasted) wasted = addUsage(wasted, failure.wasted);
        const waitMs = waitFor(failure);
        if (waitMs === undefined) return outcome;
        tools.onRetry({ request, tries, waitMs, what: failure.what });
        await sleep(clock, waitMs, signal);
      }
    },
  };
}

async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    throw signal.aborted ? cancelledBy(signal) : error;
  }
}
