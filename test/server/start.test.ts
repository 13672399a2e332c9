import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startApp } from '#src/app.ts';
import { InputError } from '#src/domain/errors.ts';
import { loadServerConfig } from '#src/server-config.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { postgresPrograms, startCluster } from '../jobs/support/postgres.ts';
import { until } from '../jobs/support/worker.ts';
import { environmentOf, REPOSITORY, startFront } from './app-on-front.ts';

const MINUTES = 120_000;
let front: GitHubFront;
beforeAll(async () => {
  front = await startFront();
}, MINUTES);
afterAll(() => front?.stop(), MINUTES);

/** An address of this machine where nobody answers until `open` leads it to the front. */
async function closedDoor(): Promise<{ url: string; open(): Promise<void> }> {
  const door = createServer((incoming) => {
    const through = connect(Number(new URL(front.url).port), '127.0.0.1');
    incoming.pipe(through).pipe(incoming);
    for (const [one, other] of [
      [incoming, through],
      [through, incoming],
    ] as const) {
      one.on('error', () => other.destroy());
    }
    onClose.push(() => incoming.destroy());
  });
  const onClose: (() => void)[] = [];
  await once(door.listen(0, '127.0.0.1'), 'listening');
  const { port } = door.address() as AddressInfo;
  await once(door.close(), 'close');
  onTestFinished(() => {
    for (const end of onClose) end();
    door.close();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    open: async () => void (await once(door.listen(port, '127.0.0.1'), 'listening')),
  };
}

function otherKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
}

/** The server as far as it comes by itself, on data of its own. */
async function startHere(more: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'fathom-start-'));
  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(JSON.parse(line)) });
  const config = loadServerConfig(dataDir, { ...environmentOf(front, dataDir), ...more });
  const app = await startApp(config, logger, { deliveries: true });
  onTestFinished(async () => {
    await app.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${app.port}`;
  front.deliveries.setUrl(`${url}/api/github/webhooks`);
  const get = async (path: string) => {
    const response = await fetch(url + path);
    return [response.status, (await response.text()).trim()];
  };
  return { app, log, get };
}

const labelArrives = async (label: string) => {
  const seen = new Set(front.deliveries.log);
  await front.as('maria').label(REPOSITORY, 1, label);
  return front.deliveries.arrived((delivery) => delivery.action === 'labeled' && !seen.has(delivery));
};

describe('a start while GitHub cannot be reached', () => {
  it(
    'answers health checks and keeps deliveries, and works on them once GitHub answers',
    async () => {
      const door = await closedDoor();
      const { app, log, get } = await startHere({ GITHUB_API_URL: door.url });
      expect(await get('/healthz')).toEqual([200, 'ok']);
      await until(async () => (await get('/readyz'))[1] === 'not ready: GitHub is not reached yet');
      expect((await get('/readyz'))[0]).toBe(503);
      expect((await labelArrives('auto-diagnose')).statuses).toEqual([200]);
      const line = await until(() => log.find(({ msg }) => msg === 'GitHub is not reached; it is tried again'));
      expect(line).toMatchObject({
        reason: expect.stringContaining(`could not be reached at ${door.url} (ECONNREFUSED)`),
        remedy: expect.stringContaining('GITHUB_API_URL'),
      });
      await door.open();
      await app.working;
      expect(await get('/readyz')).toEqual([200, 'ready']);
      await until(() => log.some(({ msg }) => msg === 'run ended'));
      expect(await front.admin.comments(REPOSITORY, 1)).toHaveLength(1);
    },
    MINUTES,
  );

  it(
    'is stopped in good order all the same',
    async () => {
      const { app } = await startHere({ GITHUB_API_URL: (await closedDoor()).url });
      await app.stop();
      await expect(app.working).resolves.toBeUndefined();
    },
    MINUTES,
  );
});

describe('a start with an App that GitHub does not know', () => {
  it.each([
    ['an id of no App', { APP_ID: '987654' }],
    ['a key of another App', { PRIVATE_KEY: otherKey() }],
  ])(
    'ends with %s, and says where the right one is found',
    async (_name, wrong) => {
      const { app } = await startHere(wrong);
      const error = await app.working.catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(InputError);
      expect((error as InputError).problems).toMatchObject([
        {
          source: 'APP_ID and the private key',
          message: expect.stringContaining('GitHub answered with 401'),
          remedy: expect.stringContaining("the id on top of the App's settings page"),
        },
      ]);
    },
    MINUTES,
  );
});

describe.skipIf(postgresPrograms === undefined)('a start while PostgreSQL cannot be reached', () => {
  it(
    'lives, refuses deliveries so that GitHub can be asked for them, and is ready once the database is',
    async () => {
      const cluster = startCluster();
      onTestFinished(() => cluster.remove());
      cluster.crash();
      const { app, log, get } = await startHere({ DATABASE_URL: cluster.url });
      expect(await get('/healthz')).toEqual([200, 'ok']);
      await until(async () => (await get('/readyz'))[1] === 'not ready: the database is not reached yet');
      expect((await get('/metrics'))[0]).toBe(503);
      expect((await labelArrives('auto-triage')).statuses).toEqual([503]);
      const line = await until(() => log.find(({ msg }) => msg === 'the database is not reached; it is tried again'));
      expect(line?.['remedy']).toContain('DATABASE_URL');
      cluster.start();
      await app.working;
      expect(await get('/readyz')).toEqual([200, 'ready']);
    },
    MINUTES,
  );
});
