export interface Clock {
  now(): Date;
  /** Milliseconds that never run backwards. */
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
