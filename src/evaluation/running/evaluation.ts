import { z } from 'zod';
import type { RunEnd } from '../../domain/ends.ts';
import type { Resolution } from '../../domain/patch.ts';
import type { Clock, RunLedger, TrajectoryStore } from '../../domain/ports/index.ts';
import type { Run } from '../../domain/run.ts';
import type { RunSettings } from '../../domain/settings.ts';
import type { PipelinePorts } from '../../pipeline/run-context.ts';
import { type Arm, SCOPES, type Scope } from '../arms/arm.ts';
import type { Gold } from '../datasets/gold.ts';
import type { Instance } from '../datasets/instance.ts';
import type { BadLine } from '../datasets/read-dataset.ts';
import type { TestVerdict } from '../scoring/outcome.ts';

/** What an evaluation is asked to do. Money in US dollars, times in seconds. */
export interface EvaluationPlan {
  scope: Scope;
  instances: Instance[];
  bad: BadLine[];
  arms: Arm[];
  settings: RunSettings;
  parallel: number;
  /** For everything together; a run is only started when its own limit still fits in. */
  budgetUsd: number;
  seconds: number;
}

/** What makes two evaluations the same, kept in the folder so that another one is not continued there by mistake. */
export const EvaluationIdentity = z.object({
  scope: z.enum(SCOPES),
  data: z.string(),
  settings: z.string(),
  standIn: z.boolean(),
});
export type EvaluationIdentity = z.infer<typeof EvaluationIdentity>;

/** Why an instance is not evaluated. It counts in no denominator, and is named. */
export const SkipReason = z.enum([
  'malformed-line',
  'no-gold',
  'missing-repository',
  'base-gone',
  'patch-does-not-apply',
]);
export type SkipReason = z.infer<typeof SkipReason>;

export interface Skipped {
  instance: string;
  reason: SkipReason;
  detail: string;
}

export type Checked = { ready: true; path: string } | { ready: false; reason: SkipReason; detail: string };

/** What an evaluation needs of the world. */
export interface EvaluationPorts {
  clock: Clock;
  /** Whether the repository is there with the base commit, and the fix applies to it. */
  check(instance: Instance, signal: AbortSignal): Promise<Checked>;
  /** The run's place in the evaluation's folder, with everything it needs. */
  open(run: Run, place: RunPlace): Promise<PipelinePorts>;
  /** What was kept of a run, without starting anything. */
  archive(place: RunPlace): { ledger: RunLedger; trajectories: TrajectoryStore };
  /** Runs the instance's own tests on the change; absent where that is not wanted. */
  runTests?(tested: Tested, signal: AbortSignal): Promise<TestVerdict | undefined>;
  tell(line: string): void;
}

export interface RunPlace {
  instance: string;
  arm: string;
}

export interface Tested {
  instance: Instance;
  run: Run;
  path: string;
  resolution: Resolution;
  ledger: RunLedger;
}

/** One run that is to be done. */
export interface Task {
  instance: Instance;
  arm: Arm;
  gold: Gold;
  path: string;
}

/** Why an evaluation stopped before everything was done; nothing that was done is lost. */
export type Halt = { by: 'budget' | 'time' | 'signal' } | { by: 'trouble'; end: Extract<RunEnd, { kind: 'failed' }> };
