import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/jobs/open-database.ts';
import { type Children, createChildren } from '../../test/jobs/support/children.ts';
import { labeled } from '../../test/jobs/support/entries.ts';
import { type Cluster, startCluster } from '../../test/jobs/support/postgres.ts';
import type { PartResult } from './figures.ts';
import { judgeJobs } from './judge-jobs.ts';
import { until } from './storm.ts';

const JOBS = 200;
const REPOSITORIES = 3;
/** What the workers of the tests allow. */
const PER_REPOSITORY = 2;
const STAGE_MS = 40;
const AWAY_MS = 15_000;
const KILL_AFTER = 50;
const AWAY_AFTER = 110;
const MOST_MS = 300_000;

/**
 * Two hundred jobs of three repositories and two worker processes on one PostgreSQL. A quarter through, one of them is
 * killed; then the database is gone for 15 seconds, as in a crash, and afterwards a new process joins.
 */
export async function jobs(say: (line: string) => void): Promise<PartResult> {
  await using opened = new AsyncDisposableStack();
  const cluster = opened.adopt(startCluster(), (one) => one.remove());
  const children = opened.adopt(createChildren(cluster.url), (one) => one.remove());
  const [first, second] = [await children.start({ stageMs: STAGE_MS }), await children.start({ stageMs: STAGE_MS })];
  const started = Date.now();
  for (let issue = 1; issue <= JOBS; issue++) {
    await children.accept(
      issue % 2 === 0 ? first : second,
      labeled({ issue, repository: 10 + (issue % REPOSITORIES) }),
    );
  }
  await until(() => finishedIn(children) >= KILL_AFTER, MOST_MS);
  say('postgres: one of two workers is killed');
  const killed = { [String(first.pid)]: Date.now() };
  await children.kill(first);
  await until(() => finishedIn(children) >= AWAY_AFTER, MOST_MS);
  const back = await loseDatabase(cluster, say);
  await children.start({ stageMs: STAGE_MS });
  await until(() => finishedIn(children) >= JOBS, MOST_MS);
  const again = children.lines('start').find(({ at }) => at > back)?.at ?? Number.NaN;
  const seconds = (Date.now() - started) / 1000;
  const runs = await runsOf(cluster);
  const found = { jobs: JOBS, notes: children.lines(), runs, killed, perRepository: PER_REPOSITORY };
  const { tally, broken, mostAtOnce } = judgeJobs(found);
  const name = (what: string) => `${JOBS} jobs, two workers, one killed, database gone 15 s: ${what}`;
  return {
    tally,
    broken: broken.map(name),
    figures: [
      { database: 'postgres', name: name('all done'), unit: 's', values: [seconds] },
      { database: 'postgres', name: name('work goes on after its return'), unit: 's', values: [(again - back) / 1000] },
      { database: 'postgres', name: name('most at once, 2 allowed'), unit: '', values: [mostAtOnce] },
    ],
  };
}

const finishedIn = (children: Children): number =>
  new Set(children.lines('kept').flatMap(({ stage, run }) => (stage === 'report' ? [run] : []))).size;

async function loseDatabase(cluster: Cluster, say: (line: string) => void): Promise<number> {
  say('postgres: the database is gone for 15 s');
  cluster.crash();
  await delay(AWAY_MS);
  cluster.start();
  return Date.now();
}

/** Once the ends of the last ones are kept, too. */
async function runsOf(cluster: Cluster): Promise<{ id: string; repository: string; state: string }[]> {
  const database = await openDatabase({ url: cluster.url, dataDir: '' });
  const read = () =>
    database.query<{ id: string; repository: string; state: string }>(
      `SELECT r.id, i.repository_id::text AS repository, r.state
       FROM fathom.run r JOIN fathom.issue i ON i.key = r.issue_key`,
    );
  try {
    await until(async () => (await read()).filter(({ state }) => state === 'ended').length >= JOBS, 60_000);
    return await read();
  } finally {
    await database.close();
  }
}
