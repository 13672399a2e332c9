import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Workspaces } from '../../src/domain/ports/workspaces.ts';
import type { RepositorySource } from '../../src/domain/run.ts';
import { createWorkspaces } from '../../src/git/workspaces.ts';
import { openRepository } from '../../src/repository/open-repository.ts';
import { Checkouts } from '../eval-ranker/checkouts.ts';
import { gitRequestOf, serveGit } from '../github-front/git-http.ts';
import { alternate, type Measured } from './alternate.ts';
import { exampleClone } from './example-clone.ts';

const rounds = 5;
const signal = new AbortController().signal;
const large = 'sympy/sympy';

/**
 * What a run does before the first model call. Cold is the first run of a repository on a machine, which clones it over
 * HTTP; warm is the next one, which has the mirror. With `repos`, of a large repository too.
 */
export async function benchPrepare({ repos }: { repos?: string }): Promise<Measured[]> {
  const path = exampleClone();
  const measured = [...(await benchCopies(path)), ...(await benchClone('40 files', path))];
  const clone = repos === undefined ? undefined : new Checkouts(repos).gitDir(large);
  if (clone === undefined) process.stderr.write(`bench: no clone of ${large}, see --repos DIR; only the example\n`);
  else measured.push(...(await benchClone(large, clone)));
  return measured;
}

async function benchCopies(path: string): Promise<Measured[]> {
  const workspaces = workspacesIn(newFolder());
  const workspace = await open(workspaces, 'kept', { kind: 'local', path });
  let count = 0;
  try {
    return await alternate(rounds, {
      'prepare: open a local clone (40 files)': async () =>
        (await open(workspaces, `bench-${count++}`, { kind: 'local', path })).dispose(),
      'prepare: a writable copy': () => workspace.writer(`writer-${count++}`),
      'prepare: rank suspects, cold': async () => {
        const repository = openRepository(workspace.tree);
        await repository.rank('CSV export total depends on the order of subscriptions', 10);
        await repository.close();
      },
    });
  } finally {
    await workspace.dispose();
  }
}

async function benchClone(name: string, path: string): Promise<Measured[]> {
  const server = await serveClone(path);
  const warm = workspacesIn(newFolder());
  await (await open(warm, 'first', server.source)).dispose();
  try {
    return await alternate(rounds, {
      [`prepare: ${name} over HTTP, cold`]: async () => {
        const folder = newFolder();
        await (await open(workspacesIn(folder), 'cold', server.source)).dispose();
        await rm(folder, { recursive: true, force: true });
      },
      [`prepare: ${name} over HTTP, warm`]: async () => (await open(warm, 'warm', server.source)).dispose(),
    });
  } finally {
    server.close();
  }
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'fathom-bench-'));
const workspacesIn = (dataDir: string): Workspaces => createWorkspaces({ dataDir, environment: process.env });
const open = (workspaces: Workspaces, run: string, repository: RepositorySource) =>
  workspaces.open({ run, repository, protectedPaths: [] }, signal);

/** The HEAD of a clone, as a code host would serve it. */
async function serveClone(path: string): Promise<{ source: RepositorySource; close: () => void }> {
  const root = newFolder();
  execFileSync('git', ['clone', '-q', '--bare', '--single-branch', '--no-tags', path, join(root, 'bench/clone.git')]);
  const server = createServer((request, response) => {
    const asked = gitRequestOf(new URL(request.url ?? '/', 'http://localhost'));
    if (asked === undefined) response.writeHead(404).end();
    else serveGit(root, asked, request, response, async () => {}).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bench/clone.git`;
  return { source: { kind: 'remote', owner: 'bench', name: 'clone', url }, close: () => server.close() };
}
