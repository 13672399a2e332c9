import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';

export type ObjectType = 'blob' | 'tree' | 'commit';
export interface GitObject {
  sha: string;
  type: ObjectType;
  bytes: Buffer;
}
export interface TreeEntry {
  mode: string;
  type: ObjectType;
  sha: string;
  path: string;
}

const execute = promisify(execFile);

/** Git that reads nothing of this machine's or this user's configuration. */
export const gitEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
});

export async function git(folder: string, args: string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const all = ['-c', 'safe.directory=*', '-C', folder, ...args];
  const options = { env: { ...gitEnvironment(), ...environment }, maxBuffer: 2 ** 28 };
  return (await execute('git', all, options)).stdout;
}

/** Every object of a repository, read by one process. */
export async function readObjects(folder: string): Promise<Map<string, GitObject>> {
  const args = ['-c', 'safe.directory=*', '-C', folder, 'cat-file', '--batch-all-objects', '--batch', '--unordered'];
  const child = spawn('git', args, { env: gitEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  return parseBatch(Buffer.concat(chunks));
}

function parseBatch(all: Buffer): Map<string, GitObject> {
  const objects = new Map<string, GitObject>();
  for (let at = 0; at < all.length; ) {
    const end = all.indexOf(10, at);
    const [sha = '', type = '', size = '0'] = all.subarray(at, end).toString().split(' ');
    const start = end + 1;
    const bytes = all.subarray(start, start + Number(size));
    if (type === 'blob' || type === 'tree' || type === 'commit') objects.set(sha, { sha, type, bytes });
    at = start + Number(size) + 1;
  }
  return objects;
}

/** Writes a loose object and says its name, without a process for each. */
export async function writeObject(folder: string, type: ObjectType, bytes: Buffer): Promise<string> {
  const whole = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]);
  const sha = createHash('sha1').update(whole).digest('hex');
  const path = join(folder, 'objects', sha.slice(0, 2), sha.slice(2));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, deflateSync(whole), { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return sha;
}

export function parseTree(bytes: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const zero = bytes.indexOf(0, space);
    const mode = bytes.subarray(at, space).toString().padStart(6, '0');
    const path = bytes.subarray(space + 1, zero).toString();
    const sha = bytes.subarray(zero + 1, zero + 21).toString('hex');
    entries.push({ mode, path, sha, type: typeOfMode(mode) });
    at = zero + 21;
  }
  return entries;
}

function typeOfMode(mode: string): ObjectType {
  if (mode === '040000') return 'tree';
  return mode === '160000' ? 'commit' : 'blob';
}

/** The bytes of a tree: git sorts a folder as if its name ended in a slash. */
export function treeBytes(entries: TreeEntry[]): Buffer {
  const key = (entry: TreeEntry) => Buffer.from(entry.type === 'tree' ? `${entry.path}/` : entry.path);
  const sorted = [...entries].sort((a, b) => Buffer.compare(key(a), key(b)));
  const parts = sorted.flatMap((entry) => [
    Buffer.from(`${entry.mode.replace(/^0/, '')} ${entry.path}\0`),
    Buffer.from(entry.sha, 'hex'),
  ]);
  return Buffer.concat(parts);
}
