import { Diagnosis } from '../../domain/diagnosis.ts';
import type { RunEnd } from '../../domain/ends.ts';
import { isEmptyPatch, Resolution } from '../../domain/patch.ts';
import type { Run } from '../../domain/run.ts';
import { executeRun } from '../../pipeline/execute-run.ts';
import type { PipelinePorts } from '../../pipeline/run-context.ts';
import { diagnosisWith, giveDiagnosis, oracleFinding } from '../arms/given-diagnosis.ts';
import { Outcome, type TestVerdict } from '../scoring/outcome.ts';
import { scoreRun } from '../scoring/score-run.ts';
import type { EvaluationPlan, EvaluationPorts, Task } from './evaluation.ts';
import { makeRun } from './make-run.ts';

/** A measured run; or a run that did not end and goes on another time, with what stopped it. */
export type Done = { outcome: Outcome; fresh: boolean } | { unfinished: RunEnd; spentUsd: number };

export interface TaskContext {
  plan: EvaluationPlan;
  ports: EvaluationPorts;
  /** The evaluation's folder; part of the run ids. */
  place: string;
  /** The instance whose findings an instance is given in the arm `shuffled`, and the arm that found them. */
  donors: Map<string, string>;
  donorArm: string | undefined;
  signal: AbortSignal;
}

/** The outcome that an earlier process kept. */
export async function keptOutcome(task: Task, ports: EvaluationPorts): Promise<Outcome | undefined> {
  const place = { instance: task.instance.instance_id, arm: task.arm.name };
  return ports.archive(place).ledger.load('', 'outcome', Outcome);
}

/** Executes one run through the same pipeline as everybody's, from wherever it stands, and measures what it left. */
export async function doTask(task: Task, context: TaskContext, isTrouble: (end: RunEnd) => boolean): Promise<Done> {
  const { ports, plan } = context;
  const run = makeRun(task, plan, context.place, ports.clock.now());
  const opened = await ports.open(run, { instance: task.instance.instance_id, arm: task.arm.name });
  const before = await opened.ledger.spent(run.id);
  await giveWhatTheArmBrings(task, run, opened, context);
  const started = ports.clock.monotonic();
  const end = await executeRun(run, opened, context.signal);
  const seconds = (ports.clock.monotonic() - started) / 1000;
  if (context.signal.aborted || isTrouble(end)) {
    const spent = await opened.ledger.spent(run.id);
    return { unfinished: end, spentUsd: spent.usd - before.usd };
  }
  const tests = await testsOf(task, run, opened, context);
  const { ledger, trajectories } = opened;
  const { instance, arm, gold } = task;
  const scored = await scoreRun({
    instance,
    arm,
    gold,
    run,
    end,
    seconds,
    ledger,
    trajectories,
    ...(tests && { tests }),
  });
  await ledger.save(run.id, 'outcome', scored);
  return { outcome: scored, fresh: true };
}

async function giveWhatTheArmBrings(task: Task, run: Run, opened: PipelinePorts, context: TaskContext): Promise<void> {
  const { arm, instance, gold } = task;
  if (arm.given === undefined) return;
  const findings = arm.given === 'oracle' ? [oracleFinding(instance, gold)] : await donated(task, context);
  await giveDiagnosis(run.id, opened.ledger, diagnosisWith(instance.base_commit, findings));
}

async function donated(task: Task, { donors, donorArm, ports }: TaskContext) {
  const donor = donors.get(task.instance.instance_id);
  if (donor === undefined || donorArm === undefined) return [];
  const { ledger } = ports.archive({ instance: donor, arm: donorArm });
  return (await ledger.load('', 'report', Diagnosis))?.findings ?? [];
}

async function testsOf(
  task: Task,
  run: Run,
  { ledger }: PipelinePorts,
  { ports, signal, plan }: TaskContext,
): Promise<TestVerdict | undefined> {
  if (plan.scope !== 'resolve' || !ports.runTests) return undefined;
  const { instance, path } = task;
  const resolution = await ledger.load(run.id, 'resolve', Resolution);
  if (!resolution || isEmptyPatch(resolution.patch))
    return unresolved(instance.FAIL_TO_PASS?.length, 'There is no change.');
  return ports.runTests({ instance, run, path, resolution, ledger }, signal);
}

const unresolved = (tests: number | undefined, reason: string): TestVerdict | undefined =>
  tests === undefined
    ? undefined
    : {
        resolved: false,
        failToPass: { passed: 0, total: tests },
        passToPass: { passed: 0, total: 0 },
        how: 'not run',
        reason,
      };
