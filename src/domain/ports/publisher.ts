import type { RunEvent } from '../run-events.ts';

/** Somebody who is told what happens in a run. Must never fail a run: it keeps its troubles to itself and logs them. */
export interface Publisher {
  publish(run: string, event: RunEvent): void;
  /**
   * Resolves when everything published so far has been shown, or can never be. @throws what kept the end of the run from
   * being shown, where that passes: then it is to be published again, to another publisher.
   */
  flush(): Promise<void>;
}
