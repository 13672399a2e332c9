import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WorkspaceRequest } from '#src/domain/ports/index.ts';
import { createWorkspaces } from '#src/git/workspaces.ts';
import { gitServer, type Refusals } from './http-server.ts';
import { COMMIT, contentsOf, never, repository, shell, temporaryFolder } from './repositories.ts';

const TWO = `echo 1 > a.txt${COMMIT} git tag -a -m one v1; echo 2 > a.txt${COMMIT} git branch other HEAD~1`;
const TOKEN = 'Basic eC1hY2Nlc3MtdG9rZW46c2VjcmV0LXRva2Vu';

const remote = (url: string, base?: string): WorkspaceRequest => ({
  run: 'run-1',
  repository: { kind: 'remote', owner: 'octo', name: 'clone', url },
  protectedPaths: [],
  ...(base === undefined ? {} : { base }),
});

interface Served {
  /** The first credentials; later ones are right. */
  shown?: string[];
  refuse?: Refusals;
}

async function served(script: string, token?: string, { shown = [], refuse = [] }: Served = {}) {
  const clone = repository(script);
  const server = await gitServer(dirname(clone), token, refuse);
  const dataDir = temporaryFolder();
  const credential = async () =>
    token === undefined ? undefined : { header: `Authorization: ${shown.shift() ?? token}` };
  const workspaces = createWorkspaces({ dataDir, environment: process.env, credential });
  const open = (base?: string, { path = '/clone', run = 'run-1' } = {}) =>
    workspaces.open({ ...remote(`${server.url}${path}`, base), run }, never);
  return { clone, server, dataDir, open };
}

describe('a repository on a code host', () => {
  test('opens at its default branch, with tags', async () => {
    const { clone, open } = await served(TWO);
    const workspace = await open();
    expect(workspace.base).toBe(shell(clone, 'git rev-parse HEAD'));
    expect(contentsOf(workspace.tree)).toEqual({ 'a.txt': 'file 2\n' });
    expect(shell(workspace.tree, 'git describe --tags HEAD~1')).toBe('v1');
  });

  test.each(['other', 'v1', 'the full SHA'])('opens at %s', async (base) => {
    const { clone, open } = await served(TWO);
    const sha = shell(clone, 'git rev-parse HEAD~1');
    const workspace = await open(base === 'the full SHA' ? sha : base);
    expect(workspace.base).toBe(sha);
    expect(contentsOf(workspace.tree)).toEqual({ 'a.txt': 'file 1\n' });
    expect(shell(workspace.tree, 'git cat-file --batch-all-objects --batch-check').split('\n')).toHaveLength(3);
  });

  test('the second run transfers only what is new', async () => {
    const { clone, server, open } = await served(`head -c 300000 /dev/urandom > big.bin; ${TWO}`);
    await open();
    const first = server.sent();
    shell(clone, `echo 3 > a.txt${COMMIT}`);
    const workspace = await open();
    expect(contentsOf(workspace.tree)['a.txt']).toBe('file 3\n');
    expect(first).toBeGreaterThan(300_000);
    expect(server.sent() - first).toBeLessThan(10_000);
  });

  test('a long straight history is cut to the asked number of commits', async () => {
    const at = (n: number) =>
      `GIT_COMMITTER_DATE="@${1_700_000_000 + n * 60} +0000" git commit -q --allow-empty -m ${n}`;
    const { open } = await served(Array.from({ length: 400 }, (_, n) => at(n)).join('\n'));
    const workspace = await open();
    const kept = Number(shell(workspace.tree, 'git rev-list --count HEAD'));
    expect(kept).toBeGreaterThan(280);
    expect(kept).toBeLessThan(310);
  });

  test('a half-written or broken mirror is made again', async () => {
    const { dataDir, open } = await served(TWO);
    await open();
    const mirrors = join(dataDir, 'mirrors');
    const [mirror = ''] = readdirSync(mirrors);
    writeFileSync(join(mirrors, mirror, 'shallow.lock'), '');
    writeFileSync(join(mirrors, mirror, 'HEAD'), 'nonsense');
    rmSync(join(mirrors, mirror, 'objects'), { recursive: true });
    expect(contentsOf((await open()).tree)).toEqual({ 'a.txt': 'file 2\n' });
  });

  test('several runs on one repository at once do not disturb each other', async () => {
    const { open } = await served(TWO);
    const opened = await Promise.all(
      ['one', 'two', 'three'].map((run) => open(run === 'two' ? 'other' : undefined, { run })),
    );
    expect(opened.map(({ tree }) => contentsOf(tree)['a.txt'])).toEqual(['file 2\n', 'file 1\n', 'file 2\n']);
  });

  test('a run that waits for another one to clone can be stopped', async () => {
    const clone = repository(TWO);
    const server = await gitServer(dirname(clone));
    const cloning = Promise.withResolvers<undefined>();
    const credential = () => cloning.promise;
    const workspaces = createWorkspaces({ dataDir: temporaryFolder(), environment: process.env, credential });
    const first = workspaces.open(remote(`${server.url}/clone`), never);
    const stop = new AbortController();
    const second = workspaces.open({ ...remote(`${server.url}/clone`), run: 'run-2' }, stop.signal);
    const stopped = expect(second).rejects.toThrow('stopped by maria');
    stop.abort(new Error('stopped by maria'));
    await stopped;
    cloning.resolve(undefined);
    expect(contentsOf((await first).tree)).toEqual({ 'a.txt': 'file 2\n' });
  });
});

describe('a credential', () => {
  test('lets the repository be read, and is in no file afterwards', async () => {
    const { dataDir, server, open } = await served(TWO, TOKEN);
    const workspace = await open();
    await workspace.writer('resolver');
    expect(server.credentials.every((shown) => shown === TOKEN)).toBe(true);
    expect(shell(dataDir, `grep -rc -e ${TOKEN.slice(6)} -e secret-token . | grep -v ':0$' || true`)).toBe('');
  });

  test('is not carried to where the repository has moved', async () => {
    const { open } = await served(TWO, TOKEN);
    await expect(open(undefined, { path: '/moved/clone' })).rejects.toMatchObject({
      code: 'input',
      message: expect.stringContaining('moved'),
    });
  });
});

describe('a credential that is refused', () => {
  test('is replaced by a new one', async () => {
    const { open } = await served(TWO, TOKEN, { shown: ['Basic revoked'] });
    expect(contentsOf((await open()).tree)).toEqual({ 'a.txt': 'file 2\n' });
  });

  test('is named when no new one is accepted', async () => {
    const shown = Array.from({ length: 9 }, () => 'Basic revoked');
    const { open } = await served(TWO, TOKEN, { shown });
    await expect(open()).rejects.toMatchObject({ code: 'remote-refused' });
  });
});

describe('what cannot be had from a code host is said with a remedy', () => {
  test('no such repository, or no right to read it', async () => {
    const { open } = await served(TWO);
    await expect(open(undefined, { path: '/nope' })).rejects.toMatchObject({
      code: 'input',
      message: expect.stringContaining('/nope'),
    });
    const clone = repository(TWO);
    const closed = await gitServer(dirname(clone), TOKEN);
    const workspaces = createWorkspaces({ dataDir: temporaryFolder(), environment: process.env });
    await expect(workspaces.open(remote(`${closed.url}/clone`), never)).rejects.toMatchObject({ code: 'input' });
  });

  test('no such branch, an empty repository, or a commit that is not there', async () => {
    const { open } = await served(TWO);
    await expect(open('nope')).rejects.toMatchObject({ code: 'input', message: expect.stringContaining('"nope"') });
    await expect(open('a'.repeat(40))).rejects.toMatchObject({
      code: 'input',
      message: expect.stringContaining('aaaa'),
    });
    const empty = await served('');
    await expect(empty.open()).rejects.toMatchObject({ code: 'input', message: expect.stringContaining('empty') });
  });

  test('a server that cannot be reached is not the fault of what was given', async () => {
    const workspaces = createWorkspaces({ dataDir: temporaryFolder(), environment: { PATH: process.env['PATH'] } });
    await expect(workspaces.open(remote('http://127.0.0.1:9/x'), never)).rejects.toMatchObject({
      code: 'remote-unreachable',
    });
  });

  test.each([
    { status: 429 },
    { status: 403, headers: { 'retry-after': '60' } },
    { status: 403, headers: { 'x-ratelimit-remaining': '0' } },
  ])('a limit that is reached passes: $status $headers', async (refusal) => {
    const { open } = await served(TWO, TOKEN, { refuse: Array.from({ length: 9 }, () => refusal) });
    await expect(open()).rejects.toMatchObject({ code: 'remote-unreachable' });
  });

  test.each(['file:///etc', 'ssh://git@example.org/x', 'ext::sh -c true', 'http://user:pw@example.org/x'])(
    'the address %s is refused',
    async (url) => {
      const workspaces = createWorkspaces({ dataDir: temporaryFolder(), environment: process.env });
      await expect(workspaces.open(remote(url), never)).rejects.toMatchObject({ code: 'input' });
    },
  );
});
