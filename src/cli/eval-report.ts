import { writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Judgement, Vote } from '../evaluation/judges/judgement.ts';
import { loadRuns } from '../evaluation/page/load-runs.ts';
import { renderPage } from '../evaluation/page/render-page.ts';
import type { EvaluationPlan, EvaluationPorts } from '../evaluation/running/evaluation.ts';
import type { EvaluationResult } from '../evaluation/running/run-evaluation.ts';
import { summarize } from '../evaluation/summary/summarize.ts';
import { toCsv } from '../evaluation/summary/to-csv.ts';
import { diskError } from '../jobs/disk-error.ts';
import { runFolder } from './eval-folder.ts';
import type { EvalOptions } from './eval-options.ts';

export interface Reported {
  plan: EvaluationPlan;
  ports: EvaluationPorts;
  options: EvalOptions;
  result: EvaluationResult;
  judgements: Judgement[];
  votes: Vote[];
}

/** Writes `report.html`, `results.csv` and `results.json` into the evaluation's folder; gives the page's path. */
export async function writeReport({ plan, ports, options, result, judgements, votes }: Reported): Promise<string> {
  const { out } = options;
  const { skipped, left } = result;
  const outcomes = inOrder(plan, result);
  const standIn = options.standIn !== undefined;
  const summary = summarize({
    ...{ scope: plan.scope, standIn, arms: plan.arms, outcomes, skipped, left },
    judgements,
    votes,
  });
  const runs = await loadRuns(outcomes, judgements, ports, (place) => `${relative(out, runFolder(out, place))}/`);
  const models = [...new Set(Object.values(plan.settings.roles).map((role) => role.model))];
  const page = join(out, 'report.html');
  await write(page, renderPage({ data: basename(options.data), models, summary, runs }));
  await write(join(out, 'results.csv'), toCsv(runs));
  await write(join(out, 'results.json'), `${JSON.stringify({ summary, outcomes, judgements }, null, 1)}\n`);
  return page;
}

/** As the data set and the arms were given, whatever order the runs ended in. */
function inOrder({ instances, arms }: EvaluationPlan, { outcomes }: EvaluationResult) {
  const rank = (id: string, arm: string) =>
    instances.findIndex((one) => one.instance_id === id) * arms.length + arms.findIndex((one) => one.name === arm);
  return [...outcomes].sort((a, b) => rank(a.instance, a.arm) - rank(b.instance, b.arm));
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: unknown) => {
    throw diskError(path, error);
  });
}
