import { lstat, opendir } from 'node:fs/promises';
import type Docker from 'dockerode';

/** What is on the disk. `whole` is false where something could not be looked into. */
export interface DiskUse {
  bytes: number;
  files: number;
  whole: boolean;
}

/** Bytes in one block of `stat`, whatever the file system's own are (POSIX). */
const BLOCK = 512;
const AT_ONCE = 64;
const SLASH = Buffer.from('/');

/**
 * What a folder takes, without following a link. Stops at `most`, since whoever fills it may be faster than this. Names
 * are bytes: not all of them are text.
 */
export async function useOfFolder(root: string, most: Omit<DiskUse, 'whole'>): Promise<DiskUse> {
  const use: DiskUse = { bytes: 0, files: 0, whole: true };
  const linked = new Set<number>();
  const folders: Buffer[] = [Buffer.from(root)];
  const isOver = () => use.bytes > most.bytes || use.files > most.files;
  for (let folder = folders.pop(); folder !== undefined && !isOver(); folder = folders.pop()) {
    for await (const names of batches(folder, use)) {
      use.files += names.length;
      await Promise.all(names.map((path) => count(path, use, linked, folders)));
      if (isOver()) break;
    }
  }
  return use;
}

async function* batches(folder: Buffer, use: DiskUse): AsyncGenerator<Buffer[]> {
  let batch: Buffer[] = [];
  try {
    const entries = await opendir(folder as unknown as string, { encoding: 'buffer' as BufferEncoding });
    for await (const { name } of entries) {
      batch.push(Buffer.concat([folder, SLASH, name as unknown as Buffer]));
      if (batch.length < AT_ONCE) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    if (!isGone(error)) use.whole = false;
  }
  if (batch.length > 0) yield batch;
}

async function count(path: Buffer, use: DiskUse, linked: Set<number>, folders: Buffer[]): Promise<void> {
  try {
    const stat = await lstat(path);
    if (stat.isDirectory()) folders.push(path);
    else if (stat.nlink > 1 && linked.has(stat.ino)) return;
    else if (stat.nlink > 1) linked.add(stat.ino);
    use.bytes += stat.blocks * BLOCK;
  } catch (error) {
    // A path may be longer than the system lets anybody name at once.
    if (!isGone(error)) use.whole = false;
  }
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** What a container has written into its own layer, as the engine counts it: bytes alone. */
export async function useOfLayer(container: Docker.Container): Promise<DiskUse> {
  const inspect = container.inspect.bind(container) as (options: object) => Promise<{ SizeRw?: number }>;
  const { SizeRw } = await inspect({ size: true });
  return { bytes: SizeRw ?? 0, files: 0, whole: SizeRw !== undefined };
}
