import { nothingAmiss, type Tally } from './tally.ts';

/** A delivery as the inbox holds it. */
export interface StoredDelivery {
  delivery: string;
  entry: string;
  /** Null until it was acted upon. */
  outcome: string | null;
  /** Jobs that its issue came to. */
  jobs: number;
}

/**
 * Holds what was acknowledged against what was stored and acted upon.
 * @param acted numbers of the entries that were acted upon, each as often as it was
 */
export function judgeDeliveries(
  acknowledged: string[],
  stored: StoredDelivery[],
  acted: string[],
): { tally: Tally; broken: string[] } {
  const wanted = new Set(acknowledged);
  const rows = stored.filter(({ delivery }) => wanted.has(delivery));
  const there = new Set(rows.map(({ delivery }) => delivery));
  const missing = acknowledged.filter((delivery) => !there.has(delivery)).length;
  const waiting = rows.filter(({ outcome }) => outcome === null).length;
  const rowsTwice = rows.length - there.size;
  const jobsTwice = rows.reduce((sum, { jobs }) => sum + Math.max(0, jobs - 1), 0);
  const entries = new Set(rows.map(({ entry }) => entry));
  const acts = acted.filter((entry) => entries.has(entry));
  const actsTwice = acts.length - new Set(acts).size;
  const broken = [
    [missing, 'acknowledged and not stored'],
    [waiting, 'stored and not acted upon'],
    [rowsTwice, 'stored twice'],
    [jobsTwice, 'jobs too many'],
    [actsTwice, 'acted upon twice'],
  ] as const;
  return {
    tally: { ...nothingAmiss(), lost: missing + waiting, doubled: rowsTwice + jobsTwice + actsTwice },
    broken: broken.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`),
  };
}
