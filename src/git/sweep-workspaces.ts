import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DISCARDED } from './discard-tree.ts';
import { withDiskTrouble } from './disk-trouble.ts';
import { removeTree } from './remove-tree.ts';
import { folderName, workspacesFolder } from './run-folder.ts';

export interface SweepOptions {
  /** Now, in milliseconds since 1970. */
  now: number;
  /** Workspaces opened longer ago than this are leftovers of runs that died. */
  olderThanSeconds: number;
  /** Ids of runs that are still alive, whatever their age. */
  alive?: string[];
}

/**
 * Removes the workspaces of dead runs from a data directory; mirrors stay.
 * @returns how many were removed. @throws EnvironmentError when the disk refused
 */
export function sweepWorkspaces(dataDir: string, options: SweepOptions): Promise<number> {
  return withDiskTrouble(resolve(dataDir), () => sweep(workspacesFolder(resolve(dataDir)), options));
}

async function sweep(folder: string, { now, olderThanSeconds, alive = [] }: SweepOptions): Promise<number> {
  const kept = new Set(alive.map(folderName));
  const names = await readdir(folder).catch(() => []);
  let removed = 0;
  for (const name of names) {
    const place = join(folder, name);
    const opened = (await stat(place)).mtimeMs;
    const young = now - opened <= olderThanSeconds * 1000 && !name.startsWith(DISCARDED);
    if (kept.has(name) || young) continue;
    await removeTree(place);
    removed += 1;
  }
  return removed;
}
