import type { RunEvent } from '../run-events.ts';

/** Somebody who is told what happens in a run. Must never fail a run: it keeps its troubles to itself and logs them. */
export interface Publisher {
  publish(run: string, event: RunEvent): void;
  /** Resolves when everything published so far has been shown. */
  flush(): Promise<void>;
}
