import { accessSync, constants, lstatSync, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { EnvironmentError } from '../domain/errors.ts';
import { type BytePath, bytesOf } from './byte-path.ts';
import { throwIfCancelled } from './git-command.ts';

export interface Walk {
  /** Regular files and links, by path, with their size in bytes. Links are named and never followed. */
  files: Map<BytePath, number>;
  /** Folders that were not entered because `skip` said so. */
  skipped: BytePath[];
  /** Git directories below the root: a repository inside the repository. */
  nested: BytePath[];
  /** Pipes, sockets and devices. */
  special: BytePath[];
  /** What this process may not read. */
  unreadable: BytePath[];
}

/** More than any repository that an agent can work on: past this the tree was filled, not edited. */
const ENTRY_LIMIT = 500_000;

/** Lists a tree that an agent may have filled with anything, without following a link or entering a git directory. */
export async function walkTree(root: string, skip: (folder: BytePath) => boolean, signal: AbortSignal): Promise<Walk> {
  const walk: Walk = { files: new Map(), skipped: [], nested: [], special: [], unreadable: [] };
  const base = Buffer.from(`${root}/`);
  const folders: BytePath[] = [''];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    throwIfCancelled(signal);
    const names = await namesIn(base, folder, walk);
    entries += names.length;
    if (entries > ENTRY_LIMIT) throw tooMany(root);
    for (const name of names) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (visit(base, path, skip, walk)) folders.push(path);
    }
  }
  return walk;
}

async function namesIn(base: Buffer, folder: BytePath, walk: Walk): Promise<BytePath[]> {
  try {
    const names = await readdir(Buffer.concat([base, bytesOf(folder)]), { encoding: 'buffer' });
    return names.map((name) => name.toString('latin1'));
  } catch {
    walk.unreadable.push(folder);
    return [];
  }
}

/** Notes one entry. @returns true for a folder to enter. */
function visit(base: Buffer, path: BytePath, skip: (folder: BytePath) => boolean, walk: Walk): boolean {
  if (path.slice(path.lastIndexOf('/') + 1).toLowerCase() === '.git') {
    if (path.includes('/')) walk.nested.push(path);
    return false;
  }
  const place = Buffer.concat([base, bytesOf(path)]);
  const stat = statOf(place);
  if (stat === 'unreadable') walk.unreadable.push(path);
  if (stat === 'unreadable' || stat === undefined) return false;
  if (stat.isDirectory()) {
    if (skip(path)) walk.skipped.push(path);
    return !skip(path);
  }
  if (stat.isSymbolicLink() || (stat.isFile() && isReadable(place))) walk.files.set(path, stat.size);
  else if (stat.isFile()) walk.unreadable.push(path);
  else walk.special.push(path);
  return false;
}

/** A path can be longer than the system lets anybody name at once. */
function statOf(place: Buffer): Stats | 'unreadable' | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false });
  } catch {
    return 'unreadable';
  }
}

function isReadable(place: Buffer): boolean {
  try {
    accessSync(place, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const tooMany = (root: string) =>
  new EnvironmentError(
    'tree-too-large',
    `${root}: the working copy holds more than ${ENTRY_LIMIT} files`,
    'Run it again; if it happens each time, lower the limits of the agent.',
  );
