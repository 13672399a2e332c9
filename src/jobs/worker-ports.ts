import type { Logger } from 'pino';
import type { RunEnd } from '../domain/ends.ts';
import type { InboxActor } from '../domain/inbox.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Forge, OpenWork } from '../domain/ports/forge.ts';
import type { Publisher } from '../domain/ports/publisher.ts';
import type { Run } from '../domain/run.ts';
import type { RunSettings } from '../domain/settings.ts';
import type { PipelinePorts } from '../pipeline/run-context.ts';
import type { ActiveRuns } from './active-runs.ts';
import type { Database } from './database.ts';
import type { MonthLimits } from './database-budget.ts';
import type { KnownIssue } from './issues.ts';
import type { Queue } from './queue.ts';
import type { RunRecord } from './runs.ts';

export type JobsLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Why a request comes to no run. */
export type Refusal =
  | { kind: 'permission'; needed: 'write' | 'triage' }
  | { kind: 'budget'; budget: 'repository' | 'installation'; resetsAt: string }
  /** So many runs in a row failed on the repository that labels start none for a while; commands still do. */
  | { kind: 'failures'; inARow: number }
  | { kind: 'issue'; state: 'gone' | 'closed' | 'locked' | 'pull-request' | 'label-gone' }
  /** An answer of a maintainer that names no question of the last run, which has so many. */
  | { kind: 'correction'; problem: 'unreadable' | 'no-such-question'; questions: number }
  /** A comment that begins like a command and is none. */
  | { kind: 'unknown-command' }
  /** A stop where no run is and none waits. */
  | { kind: 'nothing-runs' }
  /** A label does not start a repair where somebody is at work; a command does. */
  | { kind: 'at-work'; work: OpenWork }
  /** Bots started so many runs there within so many hours that they start no more for a while; people do. */
  | { kind: 'bots'; where: 'issue' | 'repository'; runs: number; hours: number }
  /** It could not be acted upon, however often that was tried. */
  | { kind: 'gave-up' }
  /** The operator lets no model's provider see this repository's code. */
  | { kind: 'provider' }
  | { kind: 'forbidden' };

export interface RefusedRequest {
  issue: KnownIssue;
  actor: InboxActor;
  /** The command's comment; absent for a label. */
  commentId?: number;
  refusal: Refusal;
}

/** What a run's attempt keeps in the database. */
export type KeptPorts = Pick<PipelinePorts, 'ledger' | 'trajectories' | 'budget' | 'publishers'>;

/** Stage 8, made for each run by whoever composes the worker. */
export type Propose = NonNullable<PipelinePorts['propose']>;

/** Asked before a change is proposed. */
export type CurrentBase = NonNullable<PipelinePorts['currentBase']>;

/** Asked before the repair of each run. */
export type InTheWay = NonNullable<PipelinePorts['inTheWay']>;

export interface WorkerPorts {
  /** Names this process in `fathom runs`. */
  name: string;
  database: Database;
  queue: Queue;
  active: ActiveRuns;
  forge: Pick<Forge, 'permission' | 'issueState' | 'snapshot' | 'labelEvent' | 'react' | 'openWork'>;
  clock: Clock;
  log: JobsLog;
  settings: RunSettings;
  months: MonthLimits;
  /** What somebody has to be allowed on the repository for a run to start or stop. */
  permission: 'write' | 'triage';
  /** Whether any provider may see the code; absent: one may see everybody's. */
  mayBeSent?(issue: KnownIssue): boolean;
  /** Goes on with the run from wherever it stands. @throws HandedOverError when the signal says so. */
  execute(run: Run, kept: KeptPorts, signal: AbortSignal, record: RunRecord): Promise<RunEnd>;
  /** `again`: to tell of an end that was counted when it came, and could not be shown then. */
  publishers(record: RunRecord, again?: boolean): Publisher[];
  /** Tells, or does not tell, the person; its troubles are its own. */
  refused(request: RefusedRequest): Promise<void>;
  /** Removes what an earlier attempt left on this machine's engine. */
  sweep(run: string): Promise<unknown>;
}
