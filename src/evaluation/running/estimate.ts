import type { RepairRole, RunSettings } from '../../domain/settings.ts';
import type { TokenUsage } from '../../domain/usage.ts';
import type { Outcome } from '../scoring/outcome.ts';
import type { EvaluationPlan, Task } from './evaluation.ts';

export interface EvaluationEstimate {
  runs: number;
  /** What is expected; undefined where a model's price is unknown. */
  usd: number | undefined;
  tokens: number;
  seconds: number;
  /** What the limits of the runs allow at most. */
  worstUsd: number;
  worstSeconds: number;
  basis: 'published figures' | 'runs in this folder';
}

type Need = { usage: TokenUsage; seconds: number };

const need = (input: number, cached: number, output: number, seconds: number): Need => ({
  usage: { input, cached, output, reasoning: 0 },
  seconds,
});

// Localizer: SHERLOC, Table 15 (9.0k in, 19.5k out, 4.7 turns). Resolver: its full-run totals of about a million tokens,
// nearly all of them input that a provider has cached. Questioner, Answerer and Verifier: the order of magnitude that
// follows from ACQUIRE's cost by stage (supplement II-A).
const NEEDS: Record<RepairRole, Need> = {
  questioner: need(6_000, 0, 1_000, 15),
  answerer: need(250_000, 200_000, 4_000, 120),
  localizer: need(9_000, 4_000, 19_500, 120),
  verifier: need(6_000, 0, 300, 10),
  resolver: need(1_000_000, 850_000, 10_000, 600),
};

/** What is still to do will cost and take about this; from the folder's own runs where there are some. */
export function estimateEvaluation(
  plan: EvaluationPlan,
  tasks: Task[],
  done: Outcome[],
  price: (model: string, usage: TokenUsage) => number | undefined,
): EvaluationEstimate {
  const finished = new Set(done.map((outcome) => `${outcome.instance}\n${outcome.arm}`));
  const left = tasks.filter((task) => !finished.has(`${task.instance.instance_id}\n${task.arm.name}`));
  const each = left.map((task) => ofRun(task, plan, done, price));
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    runs: left.length,
    usd: each.some((one) => one.usd === undefined) ? undefined : sum(each.map((one) => one.usd ?? 0)),
    tokens: sum(each.map((one) => one.tokens)),
    seconds: sum(each.map((one) => one.seconds)) / plan.parallel,
    worstUsd: Math.min(plan.budgetUsd, left.length * plan.settings.budgetUsd),
    worstSeconds: Math.min(plan.seconds, (left.length * plan.settings.seconds) / plan.parallel),
    basis: done.length > 0 ? 'runs in this folder' : 'published figures',
  };
}

function ofRun(task: Task, plan: EvaluationPlan, done: Outcome[], price: Parameters<typeof estimateEvaluation>[3]) {
  const same = done.filter((outcome) => outcome.arm === task.arm.name);
  const known = same.length > 0 ? same : done;
  if (known.length > 0) {
    const meanOf = (value: (outcome: Outcome) => number) =>
      known.reduce((total, outcome) => total + value(outcome), 0) / known.length;
    const tokens = meanOf(({ spent }) => spent.tokens.input + spent.tokens.output);
    return { usd: meanOf(({ spent }) => spent.usd), tokens, seconds: meanOf(({ seconds }) => seconds) };
  }
  return fromPublished(task.arm.settings(plan.settings), plan.scope === 'resolve', price);
}

function fromPublished(settings: RunSettings, repairs: boolean, price: Parameters<typeof estimateEvaluation>[3]) {
  const agents = agentsOf(settings, repairs);
  const prices = agents.map((role) => price(settings.roles[role].model, NEEDS[role].usage));
  const add = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    usd: prices.some((one) => one === undefined) ? undefined : add(prices.map((one) => one ?? 0)),
    tokens: add(agents.map((role) => NEEDS[role].usage.input + NEEDS[role].usage.output)),
    seconds: 5 + add(agents.map((role) => NEEDS[role].seconds)),
  };
}

function agentsOf(settings: RunSettings, repairs: boolean): RepairRole[] {
  const { questions, findings, verifier, asking } = settings;
  const times = (count: number, role: RepairRole) => Array.from({ length: count }, () => role);
  const proposes = asking === 'proposal';
  const localizers = verifier === 'full' ? 6 : 1;
  return [
    ...times(questions > 0 && !proposes ? 1 : 0, 'questioner'),
    ...times(proposes ? Math.min(questions, 1) : questions, 'answerer'),
    ...times(findings ? localizers : 0, 'localizer'),
    ...times(findings && verifier !== 'off' ? 1 : 0, 'verifier'),
    ...times(repairs ? 1 : 0, 'resolver'),
  ];
}
