import type { Arm } from '../arms/arm.ts';
import { type Outcome, passed } from '../scoring/outcome.ts';
import { type Estimate, pairedBootstrap } from '../statistics/bootstrap.ts';
import { holm } from '../statistics/holm.ts';
import { type McNemar, mcnemar } from '../statistics/mcnemar.ts';
import { seedFrom } from '../statistics/seeded-random.ts';

/** One arm against the baseline, over the instances that both have. */
export interface Comparison {
  control: string;
  treatment: string;
  /** Of the primary measure, with its paired bootstrap interval. */
  difference: Estimate;
  mcnemar: McNemar;
  /** McNemar's p after Holm over all comparisons of this report. */
  adjusted: number;
  /** Difference of mean cost and of mean tokens, with intervals. */
  usd?: Estimate;
  tokens?: Estimate;
  gained: string[];
  lost: string[];
}

/** Each arm against `none`, or against the first where that is not among them (SHERLOC K.2). */
export function compareArms(arms: Arm[], outcomes: Outcome[], measure: 'resolved' | 'hit@1'): Comparison[] {
  const control = arms.find((arm) => arm.kind === 'baseline') ?? arms[0];
  if (!control) return [];
  const others = arms.filter((arm) => arm !== control);
  const made = others.flatMap((arm) => compare(control.name, arm.name, outcomes, measure) ?? []);
  const adjusted = holm(made.map((comparison) => comparison.mcnemar.p));
  return made.map((comparison, index) => ({ ...comparison, adjusted: adjusted[index] as number }));
}

function compare(
  control: string,
  treatment: string,
  outcomes: Outcome[],
  measure: 'resolved' | 'hit@1',
): Omit<Comparison, 'adjusted'> | undefined {
  const before = new Map(outcomes.filter((one) => one.arm === control).map((one) => [one.instance, one]));
  const both = outcomes.flatMap((after) => {
    const first = after.arm === treatment ? before.get(after.instance) : undefined;
    return first ? [{ instance: after.instance, before: first, after }] : [];
  });
  const judged = both.flatMap(({ instance, before, after }) => {
    const [first, second] = [passed(before, measure), passed(after, measure)];
    return first === undefined || second === undefined ? [] : [{ instance, control: first, treatment: second }];
  });
  const seed = (what: string) => seedFrom(`${control}\n${treatment}\n${what}`);
  const numbers = judged.map((pair) => ({ control: Number(pair.control), treatment: Number(pair.treatment) }));
  const difference = pairedBootstrap(numbers, seed(measure));
  if (!difference) return undefined;
  const paired = (value: (outcome: Outcome) => number) =>
    both.map((pair) => ({ control: value(pair.before), treatment: value(pair.after) }));
  const usd = pairedBootstrap(
    paired(({ spent }) => spent.usd),
    seed('usd'),
  );
  const tokens = pairedBootstrap(
    paired(({ spent }) => spent.tokens.input + spent.tokens.output),
    seed('tokens'),
  );
  return {
    ...{ control, treatment, difference },
    mcnemar: mcnemar(judged),
    ...(usd ? { usd } : {}),
    ...(tokens ? { tokens } : {}),
    gained: judged.filter((pair) => !pair.control && pair.treatment).map((pair) => pair.instance),
    lost: judged.filter((pair) => pair.control && !pair.treatment).map((pair) => pair.instance),
  };
}
