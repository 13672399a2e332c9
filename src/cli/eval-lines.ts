import type { ChatModel } from '../domain/ports/index.ts';
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

/** What a dry run says. `speaker`: what the model is; what plays in a model's place is not priced. */
export function estimateLines(
  plan: EvaluationPlan,
  estimate: EvaluationEstimate,
  done: number,
  speaker: ReturnType<ChatModel['describe']>,
): string[] {
  return [
    `${counted(plan.instances.length, 'instance')} × ${counted(plan.arms.length, 'arm')} (${plan.arms.map((arm) => arm.name).join(', ')}), ${plan.scope}`,
    `to do: ${counted(estimate.runs, 'run')}, ${done} done before`,
    ...(standInOf(speaker) ?? pricedLines(estimate, plan.parallel)),
    `at most, by the limits: ${standInOf(speaker) ? '' : `${money(estimate.worstUsd)}, `}${duration(estimate.worstSeconds)}`,
  ];
}

function pricedLines(estimate: EvaluationEstimate, parallel: number): string[] {
  const cost = estimate.usd === undefined ? 'an unknown amount (no price is known for a model)' : money(estimate.usd);
  return [
    `expected, from ${estimate.basis}: ${cost}, ${tokens(Math.round(estimate.tokens))}, ${duration(estimate.seconds)} with ${parallel} at a time`,
  ];
}

/** Undefined where a model speaks. What published runs of models cost and took says nothing about the others. */
function standInOf({ api, address, recorded }: ReturnType<ChatModel['describe']>): string[] | undefined {
  const nothing = 'no model is asked and nothing is paid, so that no money, tokens or time of a model are estimated';
  if (recorded) {
    return [
      `a recording plays (${oneLine(address, 80)}): ${nothing}`,
      'what its calls cost when they were recorded counts against --budget',
    ];
  }
  return api === 'none' ? [`the ${address} speaks: ${nothing}`] : undefined;
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
