import type { Logger } from 'pino';
import type { Clock } from '../domain/ports/clock.ts';
import type { Forge, IssueComments } from '../domain/ports/forge.ts';
import type { Publisher } from '../domain/ports/publisher.ts';
import { createIssuePublisher } from '../github/publisher.ts';
import type { Database } from '../jobs/database.ts';
import { createDatabaseLedger } from '../jobs/database-ledger.ts';
import type { Queue } from '../jobs/queue.ts';
import { holdsRun, type RunRecord } from '../jobs/runs.ts';
import { nextNumber, stopIssue } from '../jobs/stops.ts';
import type { JobsLog } from '../jobs/worker-ports.ts';
import { renderProgress } from '../report/render-progress.ts';
import type { Metrics } from './metrics.ts';
import { runResult } from './run-result.ts';

export interface TellSources {
  database: Database;
  queue: Queue;
  forge: Forge;
  metrics: Metrics;
  clock: Clock;
  log: JobsLog & Pick<Logger, 'debug'>;
}

/** Everybody who is told of a run: its issue, the log and, but of what they counted before, the metrics. */
export function publishersOf(sources: TellSources, record: RunRecord, again = false): Publisher[] {
  const { database, queue, forge, clock, log, metrics } = sources;
  const ledger = createDatabaseLedger(database, record.attempt);
  const { key: issue } = record.issue;
  const stop = (by: string) =>
    database.transaction(async (sql) =>
      stopIssue(sql, queue, { id: await nextNumber(sql), issue, by, ...labelOf(record) }),
    );
  const onIssue = createIssuePublisher({
    comments: whileHeld(forge, () => holdsRun(database, record)),
    issue: record.issue,
    run: record.id,
    progress: renderProgress,
    result: (events) => runResult({ ledger, forge, record, stop }, events),
    clock,
    log,
  });
  return [onIssue, inLog(log, record), ...(again ? [] : [metrics.publisher])];
}

const labelOf = ({ label }: RunRecord) => (label === undefined ? {} : { label });

/** An attempt that lost the run may still be about to write; the one that goes on with it must not be written over. */
function whileHeld(comments: IssueComments, held: () => Promise<boolean>): IssueComments {
  return {
    comment: async (...asked) => ((await held()) ? comments.comment(...asked) : undefined),
    foldComments: async (...asked) => ((await held()) ? comments.foldComments(...asked) : 0),
    react: async (...asked) => {
      if (await held()) await comments.react(...asked);
    },
  };
}

/** One line for each event; what agents do and ask is in the trajectories, and here only where one looks closely. */
function inLog(log: TellSources['log'], record: RunRecord): Publisher {
  return {
    publish: (run, { at: _, ...event }) => {
      const detail = event.type === 'agent-step' || event.type === 'question-asked';
      const fields = { run, issue: record.issue.key, ...event };
      if (detail) log.debug(fields, event.type);
      else log.info(fields, event.type);
    },
    flush: async () => undefined,
  };
}
