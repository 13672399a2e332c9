import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptedDeveloper } from '../../test/cli/scripted-developer.ts';
import { startChatServer } from '../../test/fakes/chat-server.ts';
import { postgresPrograms, startCluster } from '../../test/jobs/support/postgres.ts';
import { startFathom } from '../demo/start-fathom.ts';
import { REPOSITORY, startLeapFront } from '../leap-front.ts';
import type { Measured } from './alternate.ts';
import { deliverStorm } from './delivery-storm.ts';
import { timeLabels } from './label-times.ts';
import { peakKibibytes, residentKibibytes } from './peak-memory.ts';

/** Repairs that count, beside one that warms up. */
const rounds = 5;

/**
 * The server as a process of its own on the front: from a label to what a person sees of it, with a model that answers
 * at once, and how soon deliveries are acknowledged that come faster than they can be worked on.
 */
export async function benchApp(): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-bench-'));
  try {
    const embedded = await measure(join(folder, 'embedded'), 'embedded database', {}, rounds);
    return [...embedded, ...(await onPostgres(join(folder, 'postgres')))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where PostgreSQL is installed; it writes to disk before it confirms, which the embedded database does not. */
async function onPostgres(folder: string): Promise<Measured[]> {
  if (postgresPrograms === undefined) return [];
  const cluster = startCluster();
  try {
    return await measure(folder, 'PostgreSQL', { DATABASE_URL: cluster.url }, 0);
  } finally {
    cluster.remove();
  }
}

async function measure(
  folder: string,
  kind: string,
  database: { DATABASE_URL?: string },
  rounds: number,
): Promise<Measured[]> {
  mkdirSync(folder, { recursive: true });
  const model = await startChatServer(scriptedDeveloper);
  const front = await startLeapFront();
  const server = await startFathom({
    front,
    folder,
    variables: { OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: model.url, FATHOM_MODEL: 'scripted', ...database },
    logFile: join(folder, 'fathom.log'),
    onLine: () => undefined,
  });
  const { pid } = server;
  const memory = (when: string, kibibytes: number): Measured => ({
    name: `memory, ${kind}: ${when}`,
    unit: 'MiB',
    values: [kibibytes / 1024],
  });
  try {
    front.deliveries.setUrl(`${server.url}/api/github/webhooks`);
    const started = memory('just started', residentKibibytes(pid));
    const times = await timeLabels(front, REPOSITORY, rounds, kind);
    const worked = memory(`at rest after ${rounds + 1} repairs`, residentKibibytes(pid));
    const storm = await deliverStorm(front, `${server.url}/api/github/webhooks`, kind);
    const most = memory('the most it held', peakKibibytes(pid));
    await server.stop();
    await storm.expectStored({ url: database.DATABASE_URL, dataDir: server.dataDir });
    return [...times, ...storm.measured, started, worked, most];
  } finally {
    await server.stop();
    await front.stop();
    await model.close();
  }
}
