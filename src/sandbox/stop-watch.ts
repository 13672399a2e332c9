import { CancelledError } from '../domain/errors.ts';

export type StopReason = 'timed-out' | 'output-limit' | 'disk-limit' | 'cancelled';

/** Why a command has to be stopped, as soon as there is a reason; the first one counts. */
export class StopWatch {
  readonly reason: Promise<StopReason>;
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = () => this.stop('cancelled');
  #resolve: (reason: StopReason) => void = () => undefined;

  constructor(seconds: number, signal: AbortSignal) {
    this.reason = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#signal = signal;
    this.#timer = setTimeout(() => this.stop('timed-out'), seconds * 1000);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  stop(reason: StopReason): void {
    this.#resolve(reason);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}

/** The error for an aborted signal: the signal's own where it says who stopped it. */
export function cancellation(signal: AbortSignal): CancelledError {
  return signal.reason instanceof CancelledError ? signal.reason : new CancelledError('its caller');
}
