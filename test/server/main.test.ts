import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { until } from '../jobs/support/worker.ts';
import { environmentOf, REPOSITORY, startFront } from './app-on-front.ts';

const MINUTES = 120_000;
const main = join(import.meta.dirname, '../../src/main.ts');
let front: GitHubFront;
let folder: string;
beforeAll(async () => {
  front = await startFront();
  folder = mkdtempSync(join(tmpdir(), 'fathom-main-'));
}, MINUTES);
afterAll(async () => {
  await front?.stop();
  rmSync(folder, { recursive: true, force: true });
}, MINUTES);

interface Started {
  child: ChildProcess;
  output(): string;
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | string | null>;
}

function start(environment: Record<string, string>): Started {
  const child = spawn(process.execPath, [main], { cwd: folder, env: { PATH: process.env['PATH'], ...environment } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, output: () => text, ended };
}

/** The line that says that it is ready, or the end of the process. */
const ready = (started: Started) =>
  until(() => {
    const line = started
      .output()
      .split('\n')
      .find((one) => one.includes('"msg":"ready"'));
    return line === undefined ? undefined : (JSON.parse(line) as { port: number });
  });

describe('npm start', () => {
  it(
    'without settings says everything that is missing, and does not start',
    async () => {
      const started = start({});
      expect(await started.ended).toBe(2);
      for (const name of ['APP_ID', 'WEBHOOK_SECRET', 'PRIVATE_KEY_PATH']) expect(started.output()).toContain(name);
      expect(started.output()).not.toContain('    at ');
    },
    MINUTES,
  );

  it(
    'says what it waits for while GitHub does not answer, and which setting is spelled wrongly',
    async () => {
      const silent = createServer(() => undefined).listen(0, '127.0.0.1');
      onTestFinished(() => void silent.close());
      await once(silent, 'listening');
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const dataDir = mkdtempSync(join(folder, 'waits-'));
      const started = start({ ...environmentOf(front, dataDir), GITHUB_API_URL: url, FATHOM_CONCURENCY: '3' });
      await until(() => started.output().includes(`"msg":"waiting for GitHub at ${url}`));
      expect(started.output()).toContain('FATHOM_CONCURENCY is no setting of Fathom');
      expect(started.output()).toContain('Did you mean FATHOM_CONCURRENCY?');
      started.child.kill('SIGTERM');
      expect(await started.ended).toBe(0);
    },
    MINUTES,
  );

  it(
    'with an App that GitHub does not know ends as with any other wrong setting, and says which',
    async () => {
      const dataDir = mkdtempSync(join(folder, 'unknown-'));
      const started = start({ ...environmentOf(front, dataDir), APP_ID: '987654' });
      expect(await started.ended).toBe(2);
      expect(started.output()).toContain('fathom: APP_ID and the private key are not accepted at');
    },
    MINUTES,
  );

  it(
    'ends in good order on SIGTERM, and a second start on its data is refused while it runs',
    async () => {
      const environment = environmentOf(front, folder);
      const first = start(environment);
      const { port } = await ready(first);
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
      const second = start(environment);
      expect(await second.ended).toBe(2);
      expect(second.output()).toContain('is in use by another Fathom process');
      first.child.kill('SIGTERM');
      expect(await first.ended).toBe(0);
      expect(first.output()).toContain('"msg":"stopped"');
    },
    MINUTES,
  );

  it(
    'killed right after a delivery, acts on it after the next start, and comments once',
    async () => {
      const environment = environmentOf(front, folder);
      const first = start(environment);
      front.deliveries.setUrl(`http://127.0.0.1:${(await ready(first)).port}/api/github/webhooks`);
      await front.as('maria').label(REPOSITORY, 1, 'auto-diagnose');
      await front.deliveries.arrived((delivery) => delivery.action === 'labeled');
      first.child.kill('SIGKILL');
      await first.ended;
      const second = start(environment);
      await until(() => second.output().includes('"msg":"run ended"'));
      const said = await front.admin.comments(REPOSITORY, 1);
      expect(said).toHaveLength(1);
      expect(said[0]?.body).toContain('src/quote.js');
    },
    MINUTES,
  );
});
