import type { RunEnd } from '../../domain/ends.ts';

type Failed = Extract<RunEnd, { kind: 'failed' }>;

/** How a run's failure is met: it counts as the run's own, it may pass, or nothing will work until somebody acts. */
export type Trouble = 'own' | 'passing' | 'standing';

const PASSING = new Set(['model-unreachable', 'model-rate-limited', 'no-model-answer', 'sandbox']);
const STANDING = new Set(['model-unauthorized', 'model-unknown-model', 'model-no-tools', 'no-server']);

/** Disk, credentials and models are everybody's trouble; a provider that does not answer may answer later. */
export function troubleOf({ code }: Failed): Trouble {
  if (PASSING.has(code)) return 'passing';
  return STANDING.has(code) || code.startsWith('disk-') ? 'standing' : 'own';
}

const FIRST_PAUSE = 30;
const LONGEST_PAUSE = 600;
const PATIENCE = 2 * 60 * 60;

/**
 * Seconds to wait after the n-th trouble in a row that may pass (0-based): doubling from half a minute to ten minutes,
 * for about two hours in all. Undefined when that is over.
 */
export function pauseAfter(troubles: number): number | undefined {
  let waited = 0;
  for (let earlier = 0; earlier < troubles; earlier++) waited += pauseOf(earlier);
  return waited >= PATIENCE ? undefined : pauseOf(troubles);
}

const pauseOf = (trouble: number): number => Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(trouble, 10));
