import { CancelledError, HandedOverError } from '../domain/errors.ts';
import type { Sql } from './database.ts';
import type { RunRecord } from './runs.ts';
import { stoppedBy } from './stops.ts';

export interface HeldRun {
  signal: AbortSignal;
  release(): void;
}

/** The runs that this process works on, each with the signal that ends it. */
export interface ActiveRuns {
  /** `lost` says that this process no longer holds the run's job. */
  hold(record: RunRecord, lost: AbortSignal): HeldRun;
  /** Looks whether what runs was stopped: on one issue, or on all. */
  recheck(issue?: string): Promise<void>;
  /** Ends all of them here, and whatever is held from now on, so that another process can go on with them. */
  handOver(): void;
  ids(): string[];
  /** Resolves when nothing runs any more. */
  idle(): Promise<void>;
}

interface Held {
  record: RunRecord;
  controller: AbortController;
}

export function createActiveRuns(sql: Sql): ActiveRuns {
  const runs = new Map<string, Held>();
  const waiting: (() => void)[] = [];
  let handedOver = false;
  const release = (held: Held) => {
    if (runs.get(held.record.id) === held) runs.delete(held.record.id);
    if (runs.size === 0) for (const resolve of waiting.splice(0)) resolve();
  };
  return {
    hold(record, lost) {
      const held = { record, controller: new AbortController() };
      runs.set(record.id, held);
      const letGo = () => held.controller.abort(new HandedOverError('another worker'));
      if (lost.aborted || handedOver) letGo();
      lost.addEventListener('abort', letGo, { once: true });
      return {
        signal: held.controller.signal,
        release: () => {
          lost.removeEventListener('abort', letGo);
          release(held);
        },
      };
    },
    async recheck(issue) {
      const affected = [...runs.values()].filter(({ record }) => issue === undefined || record.issue.key === issue);
      for (const held of affected) await stopIfAsked(sql, held);
    },
    handOver: () => {
      handedOver = true;
      for (const { controller } of runs.values()) controller.abort(new HandedOverError('a restart'));
    },
    ids: () => [...runs.keys()],
    idle: () =>
      new Promise((resolve) => {
        if (runs.size === 0) resolve();
        else waiting.push(resolve);
      }),
  };
}

async function stopIfAsked(sql: Sql, { record, controller }: Held): Promise<void> {
  if (controller.signal.aborted) return;
  const by = await stoppedBy(sql, { issue: record.issue.key, since: record.since, label: record.label });
  if (by !== undefined) controller.abort(new CancelledError(by));
}
