/** What must be 0, whatever was killed. */
export interface Tally {
  /** Acknowledged and never brought to its end. */
  lost: number;
  /** There twice what has to be there once. */
  doubled: number;
  /** Finished stages and agents whose work was done again. */
  rerun: number;
}

export const nothingAmiss = (): Tally => ({ lost: 0, doubled: 0, rerun: 0 });

export const addTallies = (...tallies: Tally[]): Tally =>
  tallies.reduce(
    (sum, one) => ({ lost: sum.lost + one.lost, doubled: sum.doubled + one.doubled, rerun: sum.rerun + one.rerun }),
    nothingAmiss(),
  );

export const tallyLine = ({ lost, doubled, rerun }: Tally): string =>
  `lost ${lost}, doubled ${doubled}, re-run ${rerun}`;

export const isClean = ({ lost, doubled, rerun }: Tally): boolean => lost + doubled + rerun === 0;
