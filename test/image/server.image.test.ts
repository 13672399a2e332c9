import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';
import { leapFiles } from '../cli/leap-repository.ts';
import { scriptedDeveloper } from '../cli/scripted-developer.ts';
import { type ChatServer, startChatServer } from '../fakes/chat-server.ts';
import { postgresPrograms, startCluster } from '../jobs/support/postgres.ts';
import { until } from '../jobs/support/worker.ts';
import { environmentOf } from '../server/app-on-front.ts';
import { buildServerImage, docker, logsOf, removeServerImage, runServer } from './server-image.ts';

const BUILD_MS = 600_000;
const PORT = '39471';
const REPOSITORY = 'acme/dates';
let front: GitHubFront;
let model: ChatServer;
let dataDir = '';
let image = '';
let container = '';

beforeAll(async () => {
  image = buildServerImage();
  model = await startChatServer(scriptedDeveloper);
  front = await startGitHubFront({
    repositories: [
      {
        owner: 'acme',
        name: 'dates',
        content: { commits: [{ message: 'Count days', files: leapFiles }] },
        roles: { maria: 'write', rita: 'read' },
        labels: ['auto-triage'],
      },
    ],
  });
  dataDir = openFolder();
  container = runServer(image, [dataDir], {
    ...environmentOf(front, dataDir),
    PORT,
    OPENAI_API_KEY: 'test',
    OPENAI_BASE_URL: model.url,
    FATHOM_MODEL: 'scripted',
  });
  front.deliveries.setUrl(`http://127.0.0.1:${PORT}/api/github/webhooks`);
}, BUILD_MS);
afterAll(async () => {
  if (container !== '') docker('rm', '-f', container);
  await front?.stop();
  await model?.close();
  if (dataDir !== '') rmSync(dataDir, { recursive: true, force: true });
  removeServerImage();
}, 60_000);

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-image-data-'));
  chmodSync(folder, 0o777);
  return folder;
}

const inside = (...command: string[]): string => docker('exec', container, ...command);

describe('the image of the server', () => {
  it('starts, answers /healthz, and the engine finds it healthy', async () => {
    await until(() => {
      const [state, health] = docker('inspect', '-f', '{{.State.Status}} {{.State.Health.Status}}', container).split(
        ' ',
      );
      if (state !== 'running') throw new Error(logsOf(container));
      return health === 'healthy';
    });
    expect((await fetch(`http://127.0.0.1:${PORT}/healthz`)).status).toBe(200);
    await until(async () => (await fetch(`http://127.0.0.1:${PORT}/readyz`)).ok);
  }, 120_000);

  it('is nobody of importance, on Node 24, and has neither development packages nor tests in it', () => {
    expect(inside('id', '-u')).toBe('65534');
    expect(inside('node', '--version')).toMatch(/^v24\./);
    expect(inside('ls').split('\n').sort()).toEqual(['node_modules', 'package.json', 'prompts', 'src']);
    const packages = inside('ls', 'node_modules').split('\n');
    for (const name of ['vitest', 'typescript', 'emulate', '@biomejs']) expect(packages).not.toContain(name);
  });

  it('brings a label to a draft pull request through the engine of its host, and removes every copy', async () => {
    const { number } = await front.as('rita').open(REPOSITORY, { title: '1900 has 366 days', body: 'It had not.' });
    await front.as('maria').label(REPOSITORY, number, 'auto-triage');
    const ended = await until(() => /"msg":"run ended"/.exec(logsOf(container)) && logsOf(container));
    expect(ended).toContain('"kind":"proposed"');
    const pulls = await front.admin.call<{ draft: boolean }[]>('GET', `/repos/${REPOSITORY}/pulls`);
    expect(pulls).toMatchObject([{ draft: true }]);
    await until(() => readdirSync(join(dataDir, 'workspaces')).length === 0);
  }, 240_000);

  it('ends in good order when it is told to', () => {
    docker('stop', '-t', '30', container);
    expect(docker('inspect', '-f', '{{.State.ExitCode}}', container)).toBe('0');
  }, 60_000);

  it.skipIf(postgresPrograms === undefined)(
    'is ready with PostgreSQL, and then keeps no database of its own',
    async () => {
      const cluster = startCluster();
      const socket = new URL(cluster.url).searchParams.get('host') ?? '';
      chmodSync(socket, 0o755);
      const folder = openFolder();
      const variables = { ...environmentOf(front, folder), PORT, DATABASE_URL: cluster.url };
      const other = runServer(image, [folder, socket], variables);
      try {
        await until(() =>
          fetch(`http://127.0.0.1:${PORT}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        );
        expect(logsOf(other)).toContain('"database":"postgres"');
        expect(existsSync(join(folder, 'db'))).toBe(false);
      } finally {
        docker('rm', '-f', other);
        cluster.remove();
        rmSync(folder, { recursive: true, force: true });
      }
    },
    60_000,
  );
});
