import { erfc } from './erfc.ts';

export interface McNemar {
  /** Failed in the control and passed in the treatment, and the other way round. */
  gained: number;
  lost: number;
  /** Chi-square with one degree of freedom, continuity-corrected (Edwards 1948). */
  statistic: number;
  p: number;
}

/** McNemar's test of paired outcomes (SHERLOC K.2). Without a discordant pair p is 1. */
export function mcnemar(pairs: { control: boolean; treatment: boolean }[]): McNemar {
  const gained = pairs.filter(({ control, treatment }) => !control && treatment).length;
  const lost = pairs.filter(({ control, treatment }) => control && !treatment).length;
  const statistic = gained + lost === 0 ? 0 : Math.max(0, Math.abs(gained - lost) - 1) ** 2 / (gained + lost);
  return { gained, lost, statistic, p: erfc(Math.sqrt(statistic / 2)) };
}
