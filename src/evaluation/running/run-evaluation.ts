import type { RunEnd } from '../../domain/ends.ts';
import { CancelledError, FathomError } from '../../domain/errors.ts';
import { shuffledDonors } from '../arms/given-diagnosis.ts';
import type { Outcome } from '../scoring/outcome.ts';
import { type Done, doTask, keptOutcome, type TaskContext } from './do-task.ts';
import type { EvaluationPlan, EvaluationPorts, Halt, Skipped, Task } from './evaluation.ts';
import { createPurse, type Purse } from './money.ts';
import { pauseAfter, troubleOf } from './pacing.ts';
import { planTasks } from './plan-tasks.ts';
import { createProgress, type Progress } from './progress.ts';

export interface EvaluationResult {
  outcomes: Outcome[];
  skipped: Skipped[];
  /** Runs that were not done, and why no more were started. */
  left: number;
  halt?: Halt;
}

/**
 * Does what is missing of an evaluation, `parallel` runs at a time, within its money and time. Each run is kept when it
 * ends, so this can be killed at any moment and called again; runs that were under way go on after their last stage.
 */
export async function runEvaluation(
  plan: EvaluationPlan,
  ports: EvaluationPorts,
  place: string,
  stop: AbortSignal,
): Promise<EvaluationResult> {
  const { tasks, skipped } = await planTasks(plan, ports, stop);
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new CancelledError('the time limit of the evaluation')),
    plan.seconds * 1000,
  );
  const signal = AbortSignal.any([stop, limit.signal]);
  const donorArm = plan.arms.find((arm) => !arm.given && !arm.masked && arm.settings(plan.settings).findings)?.name;
  const donors = shuffledDonors([...new Set(tasks.map((task) => task.instance))]);
  const session = new Session(tasks, { plan, ports, place, donors, donorArm, signal });
  try {
    await session.work();
  } finally {
    clearTimeout(timer);
  }
  const halt = stop.aborted
    ? ({ by: 'signal' } as const)
    : limit.signal.aborted
      ? ({ by: 'time' } as const)
      : session.halt;
  const left = tasks.length - session.outcomes.length;
  return { outcomes: session.outcomes, skipped, left, ...(halt ? { halt } : {}) };
}

class Session {
  readonly outcomes: Outcome[] = [];
  halt: Halt | undefined;
  private readonly waiting: Task[] = [];
  private readonly tasks: Task[];
  private readonly context: TaskContext;
  private purse: Purse;
  private progress: Progress;
  private troubles = 0;
  private going = 0;

  constructor(tasks: Task[], context: TaskContext) {
    this.tasks = tasks;
    this.context = context;
    this.purse = createPurse(context.plan.budgetUsd, 0);
    this.progress = createProgress(tasks.length, context.plan.parallel);
  }

  async work(): Promise<void> {
    const { plan, ports } = this.context;
    let spent = 0;
    for (const task of this.tasks) {
      const kept = await keptOutcome(task, ports);
      if (kept) {
        this.outcomes.push(kept);
        spent += kept.spent.usd;
      } else {
        spent += (await spentSoFar(task, ports)) ?? 0;
        this.waiting.push(task);
      }
    }
    this.purse = createPurse(plan.budgetUsd, spent);
    if (this.outcomes.length > 0)
      ports.tell(`${this.outcomes.length} of ${this.tasks.length} runs are kept from before.`);
    this.progress.kept(this.outcomes.length);
    await this.inGroups();
  }

  /** What needs the findings of other runs waits until those are done. */
  private async inGroups(): Promise<void> {
    const late = this.waiting.filter((task) => task.arm.given === 'shuffled');
    const early = this.waiting.filter((task) => task.arm.given !== 'shuffled');
    for (const group of [early, late]) {
      const queue = [...group];
      const workers = Array.from({ length: this.context.plan.parallel }, () => this.worker(queue));
      await Promise.all(workers);
      if (this.halt || this.context.signal.aborted) return;
    }
  }

  private async worker(queue: Task[]): Promise<void> {
    while (queue.length > 0 && !this.halt && !this.context.signal.aborted) {
      const usd = this.context.plan.settings.budgetUsd;
      const taken = this.purse.take(usd);
      if (taken === 'later' && this.going > 0) return;
      if (taken !== 'taken') {
        this.halt = { by: 'budget' };
        return;
      }
      const task = queue.shift() as Task;
      this.going++;
      try {
        await this.one(task, queue, usd);
      } finally {
        this.going--;
      }
    }
  }

  private async one(task: Task, queue: Task[], usd: number): Promise<void> {
    const done = await doTask(task, this.context, isTrouble).catch(asUnfinished);
    if ('outcome' in done) {
      this.purse.settle(usd, done.outcome.spent.usd);
      this.troubles = 0;
      this.outcomes.push(done.outcome);
      this.context.ports.tell(this.progress.line(done.outcome, this.purse.spent()));
      return;
    }
    this.purse.settle(usd, done.spentUsd);
    queue.unshift(task);
    if (!this.context.signal.aborted) await this.meet(done.unfinished);
  }

  /** Trouble that may pass is waited out, the same for all workers; other trouble stops the evaluation. */
  private async meet(end: RunEnd): Promise<void> {
    if (end.kind !== 'failed') return;
    const seconds = troubleOf(end) === 'passing' ? pauseAfter(this.troubles++) : undefined;
    if (seconds === undefined) {
      this.halt ??= { by: 'trouble', end };
      return;
    }
    const { ports, signal } = this.context;
    ports.tell(`Paused for ${seconds} s: ${end.message}`);
    await ports.clock.sleep(seconds * 1000, signal).catch(() => undefined);
  }
}

/** A disk or an engine that refuses beside a run is met like one that refuses in it: nothing else is given up. */
function asUnfinished(error: unknown): Done {
  if (!(error instanceof FathomError)) throw error;
  const { code, message, remedy } = error;
  return { unfinished: { kind: 'failed', code, message, remedy }, spentUsd: 0 };
}

const isTrouble = (end: RunEnd): boolean => end.kind === 'failed' && troubleOf(end) !== 'own';

async function spentSoFar(task: Task, ports: EvaluationPorts): Promise<number | undefined> {
  const { ledger } = ports.archive({ instance: task.instance.instance_id, arm: task.arm.name });
  return (await ledger.spent('')).usd;
}
