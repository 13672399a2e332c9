/** Waited in vain for a turn. */
export class NoTurn extends Error {}

interface Waiting {
  go(): void;
}

/**
 * One at a time. Those that can wait only so long come before all others, each kind in its order. Its own, because each of
 * the embedded database's statements takes a turn: a library's queue (p-queue 10) makes a small one a quarter slower.
 */
export class PriorityTurns {
  private readonly hurried: Waiting[] = [];
  private readonly patient: Waiting[] = [];
  private busy = false;

  /** @throws NoTurn when the turn did not come within `seconds`; nothing was done then. */
  async take<T>(work: () => Promise<T>, seconds?: number): Promise<T> {
    if (this.busy) await this.wait(seconds);
    this.busy = true;
    try {
      return await work();
    } finally {
      this.pass();
    }
  }

  private wait(seconds: number | undefined): Promise<void> {
    const queue = seconds === undefined ? this.patient : this.hurried;
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        go: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer =
        seconds === undefined
          ? undefined
          : setTimeout(() => {
              queue.splice(queue.indexOf(waiting), 1);
              reject(new NoTurn(`no turn within ${seconds} s`));
            }, seconds * 1000);
      queue.push(waiting);
    });
  }

  /** Whoever is next holds the turn from now on: nobody who comes meanwhile can slip in between. */
  private pass(): void {
    const next = this.hurried.shift() ?? this.patient.shift();
    if (next === undefined) this.busy = false;
    else next.go();
  }
}
