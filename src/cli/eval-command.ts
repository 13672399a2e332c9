import { readFile, stat } from 'node:fs/promises';
import { type Config, loadConfig } from '../config.ts';
import { InputError } from '../domain/errors.ts';
import type { ChatModel } from '../domain/ports/index.ts';
import { systemClock } from '../domain/system-clock.ts';
import { parseArms } from '../evaluation/arms/arms.ts';
import { type BadLine, readDataset } from '../evaluation/datasets/read-dataset.ts';
import { createJudge } from '../evaluation/judges/judge.ts';
import { judgeEvaluation } from '../evaluation/judges/judge-evaluation.ts';
import { keptOutcome } from '../evaluation/running/do-task.ts';
import { estimateEvaluation } from '../evaluation/running/estimate.ts';
import type { EvaluationPlan, EvaluationPorts } from '../evaluation/running/evaluation.ts';
import { planTasks } from '../evaluation/running/plan-tasks.ts';
import { runEvaluation } from '../evaluation/running/run-evaluation.ts';
import { lexicalModel, STAND_IN } from '../evaluation/stand-in/lexical-model.ts';
import { loadPrompts } from '../prompts/load-prompts.ts';
import { composeModel, composePorts, composeSecrets, promptsFolder } from './compose.ts';
import { claimIdentity, runArchive, runFolder } from './eval-folder.ts';
import { closingLines, estimateLines, skippedLines } from './eval-lines.ts';
import { type EvalFlags, type EvalOptions, readEvalOptions } from './eval-options.ts';
import { type Reported, writeReport } from './eval-report.ts';
import { createRepositoryCheck } from './eval-repositories.ts';
import { createTestRunner } from './eval-tests.ts';
import { exitCodes } from './exit-codes.ts';
import { claimRunFolder } from './run-folder.ts';
import { stopOnSignals } from './stop-signal.ts';

const DATA_REMEDY = 'Give a file of JSON lines, as SWE-bench publishes them or `fathom backtest` writes them.';

/** `fathom eval`: runs a data set under several arms and reports what each is worth. Gives the exit code. */
export async function evalCommand(flags: EvalFlags): Promise<number> {
  const options = readEvalOptions(flags);
  const { model, api, protocol, runBudget } = flags;
  const config = loadConfig({
    ...{ ...(model && { model }), ...(api && { api }), ...(protocol && { protocol }) },
    ...(runBudget === undefined ? {} : { budget: runBudget }),
  });
  const tell = (line: string) => process.stderr.write(`${line}\n`);
  const speaker = speakerOf(config, options, tell);
  await refuseNoFolder(options.repos);
  const { plan, text } = await planOf(config, options);
  const ports = portsOf(config, options, speaker, tell);
  const claim = await claimRunFolder(options.out, true);
  const stop = stopOnSignals(tell);
  try {
    if (options.dryRun) return await dryRun(plan, ports, speaker, stop.signal);
    const identity = { scope: plan.scope, data: text, settings: plan.settings, standIn: options.standIn !== undefined };
    await claimIdentity(options.out, identity);
    const result = await runEvaluation(plan, ports, options.out, stop.signal);
    const judged = await judgedBy(speaker, { plan, ports, options, result }, stop.signal);
    const page = await writeReport({ plan, ports, options, result, ...judged });
    for (const line of closingLines(result, page)) tell(line);
    if (result.halt?.by === 'signal') return exitCodes.stopped;
    // Where every instance was left out, there is no figure: nobody's script shall take that for a result.
    return result.halt === undefined && result.outcomes.length > 0 ? exitCodes.done : exitCodes.failed;
  } finally {
    stop.release();
    // An estimate starts nothing, and leaves nothing.
    await (options.dryRun ? claim.discard() : claim.release());
  }
}

/** Judgements are asked for when all runs are done; they share the money of the evaluation. */
async function judgedBy(
  model: ChatModel,
  { plan, ports, options, result }: Omit<Reported, 'judgements' | 'votes'>,
  signal: AbortSignal,
): Promise<Pick<Reported, 'judgements' | 'votes'>> {
  const { judge: name, repetitions } = options;
  if (name === undefined || signal.aborted) return { judgements: [], votes: [] };
  const spent = result.outcomes.reduce((sum, outcome) => sum + outcome.spent.usd, 0);
  const budgetUsd = Math.max(0, plan.budgetUsd - spent);
  const prompts = loadPrompts(promptsFolder);
  const judge = createJudge({ model, name, prompts, repetitions, budgetUsd, signal });
  return judgeEvaluation(plan, result.outcomes, ports, judge);
}

async function planOf(config: Config, options: EvalOptions): Promise<{ plan: EvaluationPlan; text: string }> {
  const text = await readData(options.data);
  const { instances, bad } = readDataset(text);
  if (instances.length === 0) throw noInstances(options.data, bad);
  const wanted = options.instances?.split(',').map((name) => name.trim());
  const chosen = instances.filter((one) => wanted === undefined || wanted.includes(one.instance_id));
  const missing = (wanted ?? []).filter((name) => !instances.some((one) => one.instance_id === name));
  const problems = missing.map((name) => ({
    source: '--instances',
    message: `${name} is not in ${options.data}`,
    remedy: 'Name instances by their instance_id.',
  }));
  if (problems.length > 0) throw new InputError(problems);
  const scope = options.only;
  const settings = {
    ...config.settings,
    ...(options.runSeconds === undefined ? {} : { seconds: options.runSeconds }),
    ...(options.standIn ? { roles: standInRoles(config) } : {}),
  };
  if (settings.budgetUsd > options.budget) {
    const message = `$${options.budget} is less than one run may cost ($${settings.budgetUsd})`;
    throw new InputError([{ source: '--budget', message, remedy: 'Raise it, or lower --run-budget.' }]);
  }
  const arms = parseArms(
    options.arms ?? (scope === 'localize' ? 'findings,no-hint' : 'none,questions,findings,both'),
    scope,
  );
  return {
    text,
    plan: {
      ...{ scope, arms, bad, settings },
      instances: chosen.slice(0, options.limit ?? chosen.length),
      parallel: options.parallel,
      budgetUsd: options.budget,
      seconds: options.seconds,
    },
  };
}

async function refuseNoFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  const remedy = 'Give the folder of the clones, each named owner+name.';
  throw new InputError([{ source: '--repos', message: `${path} is no folder`, remedy }]);
}

/** An evaluation's folder belongs to its data set, and must not be taken for a file that is none. */
function noInstances(path: string, bad: BadLine[]): InputError {
  const why = bad[0] === undefined ? 'is empty' : `holds no instance; line ${bad[0].line} ${bad[0].reason}`;
  return new InputError([{ source: '--data', message: `${path} ${why}`, remedy: DATA_REMEDY }]);
}

async function readData(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new InputError([{ source: '--data', message: `${path} cannot be read`, remedy: DATA_REMEDY }], { cause });
  }
}

function speakerOf(config: Config, options: EvalOptions, tell: (line: string) => void): ChatModel {
  if (options.standIn) {
    if (options.only !== 'localize') {
      const remedy = 'Add --only localize, or configure a model instead.';
      throw new InputError([{ source: '--stand-in', message: 'can only localize', remedy }]);
    }
    tell(`Note: the ${STAND_IN} speaks. Its figures say how far words alone get, and nothing about a model.`);
    return lexicalModel();
  }
  const model = composeModel(config, tell);
  if (model) return model;
  const remedy = 'Name one with --model or FATHOM_MODEL; --stand-in lexical tries an evaluation out without one.';
  throw new InputError([{ source: '--model', message: 'is missing, and no other setting names one', remedy }]);
}

function standInRoles(config: Config): Config['settings']['roles'] {
  const named = Object.entries(config.settings.roles).map(([role, settings]) => [
    role,
    { ...settings, model: STAND_IN },
  ]);
  return Object.fromEntries(named);
}

function portsOf(
  config: Config,
  options: EvalOptions,
  model: ChatModel,
  tell: (line: string) => void,
): EvaluationPorts {
  const secrets = composeSecrets(config);
  return {
    clock: systemClock,
    tell,
    check: createRepositoryCheck(options.repos, config.environment),
    archive: (place) => runArchive(options.out, place, secrets),
    ...(options.tests === 'none' ? {} : { runTests: createTestRunner(config, options.out, options.tests) }),
    open: async (run, place) => {
      const ports = await composePorts(config, run, runFolder(options.out, place), []);
      // What a repository asks for in its own configuration would make arms differ from what they are called.
      return { ...ports, model, repositorySettings: (_text, settings) => settings, repositoryNotes: () => [] };
    },
  };
}

async function dryRun(
  plan: EvaluationPlan,
  ports: EvaluationPorts,
  model: ChatModel,
  signal: AbortSignal,
): Promise<number> {
  const { tasks, skipped } = await planTasks(plan, ports, signal);
  const kept = await Promise.all(tasks.map((task) => keptOutcome(task, ports)));
  const done = kept.filter((outcome) => outcome !== undefined);
  const estimate = estimateEvaluation(plan, tasks, done, (name, usage) => model.price(name, usage));
  const lines = [...skippedLines(skipped), ...estimateLines(plan, estimate, done.length, model.describe())];
  process.stdout.write(`${lines.join('\n')}\n`);
  return exitCodes.done;
}
