import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Workspace, WorkspaceRequest } from '#src/domain/ports/index.ts';
import { createWorkspaces, type WorkspacesOptions } from '#src/git/workspaces.ts';

export const never = new AbortController().signal;

const ENVIRONMENT = {
  PATH: process.env['PATH'],
  HOME: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
};

type AtEnd = (clean: () => void) => void;

/** A folder that is gone when the test is over, or whenever `atEnd` says. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-git-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a script as the person or agent in `folder` would, with their ordinary git. */
export function shell(folder: string, script: string, environment: Record<string, string> = {}): string {
  const env = { ...ENVIRONMENT, ...environment };
  return execFileSync('bash', ['--norc', '-euc', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    .toString('latin1')
    .trim();
}

export const COMMIT = '\ngit add -A\ngit commit -q --allow-empty -m base\n';

/** A repository that `script` fills and commits. */
export function repository(script: string, atEnd?: AtEnd): string {
  const folder = join(temporaryFolder(atEnd), 'clone');
  mkdirSync(folder);
  shell(folder, `git init -q -b main\n${script}`);
  return folder;
}

export const open = (
  path: string,
  request: Partial<WorkspaceRequest> = {},
  options: Partial<WorkspacesOptions> = {},
): Promise<Workspace> =>
  createWorkspaces({ dataDir: options.dataDir ?? temporaryFolder(), environment: process.env, ...options }).open(
    { run: 'run-1', repository: { kind: 'local', path }, protectedPaths: [], ...request },
    never,
  );

/** Every file below `folder` but `.git`, as mode and content, or as a link's target; names and contents as bytes. */
export function contentsOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const names = [''];
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const place = Buffer.from(join(folder, name), 'latin1');
    const stat = lstatSync(place);
    if (stat.isDirectory()) names.push(...childrenOf(place).map((child) => join(name ?? '', child)));
    else found[name] = describeFile(place);
  }
  return found;
}

const childrenOf = (place: Buffer): string[] =>
  readdirSync(place, { encoding: 'latin1' }).filter((child) => child.toLowerCase() !== '.git');

function describeFile(place: Buffer): string {
  const stat = lstatSync(place);
  if (stat.isSymbolicLink()) return `link ${readlinkSync(place, 'latin1')}`;
  if (!stat.isFile()) return 'special';
  const content = stat.size > 1e6 ? `${stat.size} bytes` : readFileSync(place, 'latin1');
  return `${(stat.mode & 0o100) === 0 ? 'file' : 'executable'} ${content}`;
}

export const exists = (path: string): boolean => existsSync(path);
