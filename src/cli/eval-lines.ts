import type { EvaluationEstimate } from '../evaluation/running/estimate.ts';
import type { EvaluationPlan, Halt, Skipped } from '../evaluation/running/evaluation.ts';
import type { EvaluationResult } from '../evaluation/running/run-evaluation.ts';
import { counted, duration, money, tokens } from '../report/amounts.ts';
import { oneLine } from '../report/plain-text.ts';

const SHOWN = 20;

/** Each instance that is left out, with its reason. */
export function skippedLines(skipped: Skipped[]): string[] {
  const lines = skipped
    .slice(0, SHOWN)
    .map(({ instance, reason, detail }) => `skipped ${oneLine(instance, 80)}: ${reason} (${oneLine(detail, 200)})`);
  return skipped.length > SHOWN ? [...lines, `… and ${skipped.length - SHOWN} more were skipped`] : lines;
}

/** What a dry run says. */
export function estimateLines(plan: EvaluationPlan, estimate: EvaluationEstimate, done: number): string[] {
  const cost = estimate.usd === undefined ? 'an unknown amount (no price is known for a model)' : money(estimate.usd);
  return [
    `${counted(plan.instances.length, 'instance')} × ${counted(plan.arms.length, 'arm')} (${plan.arms.map((arm) => arm.name).join(', ')}), ${plan.scope}`,
    `to do: ${counted(estimate.runs, 'run')}, ${done} done before`,
    `expected, from ${estimate.basis}: ${cost}, ${tokens(Math.round(estimate.tokens))}, ${duration(estimate.seconds)} with ${plan.parallel} at a time`,
    `at most, by the limits: ${money(estimate.worstUsd)}, ${duration(estimate.worstSeconds)}`,
  ];
}

/** How an evaluation ended, and how to go on. */
export function closingLines({ outcomes, skipped, left, halt }: EvaluationResult, page: string): string[] {
  const failed = outcomes.filter(({ end }) => end.kind === 'failed' || end.kind === 'stopped').length;
  const all = `${counted(outcomes.length, 'run')} measured (${failed} failed), ${left} not done, ${skipped.length} skipped.`;
  const how = halt ? [haltLine(halt), 'Go on with the same command; nothing that was done is lost.'] : [];
  return [...skippedLines(skipped), all, ...how, `Report: ${page}`];
}

function haltLine(halt: Halt): string {
  switch (halt.by) {
    case 'budget':
      return 'Stopped: what is left of --budget is less than one run may cost.';
    case 'time':
      return 'Stopped: the time of --seconds is over.';
    case 'signal':
      return 'Stopped on request.';
    case 'trouble':
      return `Stopped: ${oneLine(halt.end.message, 300)}\n  ${oneLine(halt.end.remedy, 300)}`;
  }
}
