/**
 * The money of a whole evaluation. A run is started only when its own limit fits into what is left beside the runs that
 * are going on; so the whole is never passed, and no run gets less than the others.
 */
export interface Purse {
  /** `later` when money may come back from runs that are going on. */
  take(runUsd: number): 'taken' | 'later' | 'never';
  /** Ends a run that took `runUsd`, of which `spentUsd` is gone. */
  settle(runUsd: number, spentUsd: number): void;
  spent(): number;
}

export function createPurse(budgetUsd: number, spentBefore: number): Purse {
  let spent = spentBefore;
  let reserved = 0;
  return {
    take: (runUsd) => {
      if (spent + reserved + runUsd <= budgetUsd + 1e-9) {
        reserved += runUsd;
        return 'taken';
      }
      return reserved > 0 ? 'later' : 'never';
    },
    settle: (runUsd, spentUsd) => {
      reserved = Math.max(0, reserved - runUsd);
      spent += spentUsd;
    },
    spent: () => spent,
  };
}
