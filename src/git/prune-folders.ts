import { lstat, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FolderCap, FolderUse } from '../domain/disk.ts';
import { DISCARDED, discardTree } from './discard-tree.ts';
import { withDiskTrouble } from './disk-trouble.ts';
import { mirrorsFolder, workspacesFolder } from './run-folder.ts';

/** Removes mirrors, the one unused longest first, until the rest is within the cap. @throws EnvironmentError */
export const pruneMirrors = (dataDir: string, cap: FolderCap): Promise<FolderUse> =>
  pruneFolders(mirrorsFolder(resolve(dataDir)), cap);

/** The same with workspaces. @throws EnvironmentError */
export const pruneWorkspaces = (dataDir: string, cap: FolderCap): Promise<FolderUse> =>
  pruneFolders(workspacesFolder(resolve(dataDir)), cap);

async function pruneFolders(folder: string, { bytes, isUnused }: FolderCap): Promise<FolderUse> {
  const found = await foldersIn(folder);
  let total = found.reduce((sum, one) => sum + one.bytes, 0);
  let removed = 0;
  for (const one of found.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= bytes) break;
    if (!isUnused(one.name, one.usedAt)) continue;
    await withDiskTrouble(folder, () => discardTree(join(folder, one.name)));
    total -= one.bytes;
    removed += 1;
  }
  return { bytes: total, removed };
}

interface Found extends Pick<FolderUse, 'bytes'> {
  name: string;
  usedAt: number;
}

async function foldersIn(folder: string): Promise<Found[]> {
  const names = await readdir(folder).catch(() => []);
  const found: Found[] = [];
  for (const name of names.filter((one) => !one.startsWith(DISCARDED))) {
    const stat = await lstat(join(folder, name)).catch(() => undefined);
    if (stat?.isDirectory()) found.push({ name, usedAt: stat.mtimeMs, bytes: await treeBytes(join(folder, name)) });
  }
  return found;
}

/** What a tree takes on the disk, as far as it can be read. Links are not followed. */
async function treeBytes(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) bytes += await treeBytes(inside);
    else
      bytes += await lstat(inside).then(
        ({ blocks }) => blocks * 512,
        () => 0,
      );
  }
  return bytes;
}
