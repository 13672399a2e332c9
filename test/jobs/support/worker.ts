import { defaultRunSettings } from '../../../src/domain/default-settings.ts';
import type { RunEnd } from '../../../src/domain/ends.ts';
import type { RunEvent } from '../../../src/domain/run-events.ts';
import { systemClock } from '../../../src/domain/system-clock.ts';
import { createActiveRuns } from '../../../src/jobs/active-runs.ts';
import { createDatabaseInbox } from '../../../src/jobs/database-inbox.ts';
import type { OpenDatabase } from '../../../src/jobs/open-database.ts';
import { createQueue } from '../../../src/jobs/queue.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import type { RefusedRequest, WorkerPorts } from '../../../src/jobs/worker-ports.ts';
import { type FakeForge, fakeForge } from './forge.ts';

export const noLimit = { usd: 1e9, unpricedTokens: 1e12 };

export interface TestWorker {
  ports: WorkerPorts;
  inbox: ReturnType<typeof createDatabaseInbox>;
  forge: FakeForge;
  refused: RefusedRequest[];
  published: RunEvent[];
  errors: unknown[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

type Execute = WorkerPorts['execute'];

/** A worker as in production, but for the code host and for what a run does. */
export async function testWorker(
  database: OpenDatabase,
  execute: Execute,
  options: { name?: string; concurrency?: number; perRepository?: number; perInstallation?: number } = {},
): Promise<TestWorker> {
  const errors: unknown[] = [];
  const { concurrency = 4, perRepository = 2, perInstallation = 100, name = 'test' } = options;
  const limits = { concurrency, perRepository, perInstallation };
  const queue = await createQueue(database, limits, (error) => errors.push(error));
  const forge = fakeForge();
  const refused: RefusedRequest[] = [];
  const published: RunEvent[] = [];
  const ports: WorkerPorts = {
    name,
    database,
    queue,
    active: createActiveRuns(database),
    forge: forge.forge,
    clock: systemClock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    settings: defaultRunSettings('model'),
    months: { repository: noLimit, installation: noLimit },
    permission: 'write',
    execute,
    publishers: () => [{ publish: (_run, event) => published.push(event), flush: async () => undefined }],
    refused: async (request) => {
      refused.push(request);
    },
    sweep: async () => 0,
  };
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
  return {
    ports,
    inbox: createDatabaseInbox(database, queue),
    forge,
    refused,
    published,
    errors,
    start: async () => {
      worker = await startWorker(ports);
    },
    stop: async () => {
      await worker?.drain(0);
      await queue.stop();
    },
  };
}

/** Waits for what a test expects to come; the test's own time limit is the end of its patience. */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T> & T> {
  for (;;) {
    const seen = await look();
    if (seen) return seen as NonNullable<T> & T;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const diagnosed: RunEnd = { kind: 'diagnosed' };
