import { QuestionCategory } from '../../domain/question.ts';
import { Stage } from '../../domain/stage.ts';
import { PURPOSES } from '../scoring/classify-step.ts';
import type { Outcome } from '../scoring/outcome.ts';
import { PHASES } from '../scoring/phases.ts';
import type { TrajectoryFigures } from '../scoring/trajectory-figures.ts';
import { figure } from './figure.ts';
import type { Html } from './html.ts';
import type { PageData } from './page-data.ts';
import { stackedBars } from './plots.ts';
import { shown, type Unit } from './values.ts';

const ROLES = ['questioner', 'answerer', 'localizer', 'verifier', 'resolver'];

/** Mean tokens of a run by role, and how many of them were cached. */
export function tokenBars(data: PageData): Html[] {
  const present = ROLES.filter((role) =>
    data.runs.some(({ outcome }) => outcome.agents.some((agent) => agent.role === role)),
  );
  const names = present.flatMap((role) => [`${role}, fresh and out`, `${role}, cached`]);
  const tokensOf = (outcome: Outcome) =>
    present.flatMap((role) => {
      const own = outcome.agents.filter((agent) => agent.role === role);
      return [sum(own, ({ tokens }) => tokens.fresh + tokens.output), sum(own, ({ tokens }) => tokens.cached)];
    });
  return bars(data, {
    title: 'Tokens by role',
    caption: 'Mean tokens of a run, in and out, by who used them; cached input costs a provider’s reduced price.',
    names,
    unit: 'tokens',
    value: tokensOf,
  });
}

/** What the steps of a repair were for (SHERLOC, Appendix I). */
export function purposeBars(data: PageData): Html[] {
  const value = (outcome: Outcome) =>
    resolver(outcome, (agent) => PURPOSES.map((purpose) => agent.purposes[purpose] ?? 0));
  return bars(data, {
    title: 'Actions of the repair by purpose',
    caption: 'Mean actions of the Resolver, told apart by SHERLOC’s rules.',
    names: [...PURPOSES],
    unit: 'number',
    value,
  });
}

/** Where the repair was at its steps (ACQUIRE, figure 2). */
export function phaseBars(data: PageData): Html[] {
  const value = (outcome: Outcome) => resolver(outcome, (agent) => PHASES.map((phase) => agent.phases[phase] ?? 0));
  return bars(data, {
    title: 'Actions of the repair by phase',
    caption:
      'ACQUIRE’s four stages, here by rule: reading locates; testing reproduces before the first edit and verifies after it.',
    names: [...PHASES],
    unit: 'number',
    value,
  });
}

/** How long each stage took. */
export function stageBars(data: PageData): Html[] {
  const names = Stage.options.filter((stage) => data.runs.some(({ outcome }) => outcome.secondsByStage[stage]));
  const value = (outcome: Outcome) => names.map((stage) => outcome.secondsByStage[stage] ?? 0);
  return bars(data, {
    ...{ title: 'Seconds by stage', names, unit: 'seconds', value },
    caption: 'Mean seconds of a run, by the wall clock; agents of one stage work beside each other.',
  });
}

/** What the questions were about (ACQUIRE, supplement II-C). */
export function categoryBars(data: PageData): Html[] {
  const names = QuestionCategory.options.filter((name) => data.runs.some(({ outcome }) => outcome.categories[name]));
  const value = (outcome: Outcome) => names.map((name) => outcome.categories[name] ?? 0);
  return bars(data, {
    ...{ title: 'Questions by category', names, unit: 'number', value },
    caption: 'Mean questions of a run. ACQUIRE found 74 % Mechanism, 14 % Design, 10 % Locating and 2 % Ecosystem.',
  });
}

interface Bars {
  title: string;
  caption: string;
  names: string[];
  unit: Unit;
  value(outcome: Outcome): number[] | undefined;
}

function bars({ runs, summary }: PageData, { title, caption, names, unit, value }: Bars): Html[] {
  const rows = summary.arms.flatMap(({ name }) => {
    const all = runs
      .filter(({ outcome }) => outcome.arm === name)
      .flatMap(({ outcome }) => {
        const parts = value(outcome);
        return parts ? [parts] : [];
      });
    return all.length === 0
      ? []
      : [{ label: name, parts: names.map((_, index) => sum(all, (parts) => parts[index] ?? 0) / all.length) }];
  });
  if (rows.every(({ parts }) => parts.every((part) => part === 0))) return [];
  const table = {
    heads: ['arm', ...names],
    rows: rows.map(({ label, parts }) => [label, ...parts.map((part) => shown(part, unit))]),
  };
  return [figure(title, caption, stackedBars(rows, names, unit, title), table)];
}

function resolver(outcome: Outcome, value: (agent: TrajectoryFigures) => number[]): number[] | undefined {
  const agent = outcome.agents.find((one) => one.role === 'resolver');
  return agent && value(agent);
}

const sum = <T>(values: T[], value: (one: T) => number): number => values.reduce((total, one) => total + value(one), 0);
