import type { Purpose } from './classify-step.ts';

/** Where a repair is at a step (ACQUIRE §V-B2): its four stages. */
export const PHASES = ['locate', 'reproduce', 'fix', 'verify'] as const;
export type Phase = (typeof PHASES)[number];

/**
 * The phase of each step from its purpose and from whether the source was edited before. ACQUIRE had people annotate
 * this; here it follows from rules. Undefined for what belongs to none (handing in, thinking).
 */
export function phasesOf(purposes: Purpose[]): (Phase | undefined)[] {
  let edited = false;
  return purposes.map((purpose) => {
    if (purpose === 'repair') edited = true;
    switch (purpose) {
      case 'localize':
        return 'locate';
      case 'repair':
        return 'fix';
      case 'make_test':
      case 'run_test':
      case 'prepare_env':
        return edited ? 'verify' : 'reproduce';
      default:
        return undefined;
    }
  });
}
