import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

const MOST_BYTES = 1_000_000;
const MOST_NAMES = 5_000;

/** Reads a few known files of a checkout that nobody here trusts. Paths are relative, with `/`. */
export interface TreeFiles {
  /** The text of a regular file inside the tree; undefined where there is none, or where it is larger than 1 MB. */
  read(path: string): Promise<string | undefined>;
  /** Names in a folder inside the tree, at most 5,000; none where there is no such folder. */
  list(path: string): Promise<string[]>;
}

/** Files of the checkout at `tree`. A link that leads out of it counts as absent, and nothing is waited for. */
export function openTree(tree: string): TreeFiles {
  return {
    read: async (path) => {
      const real = await inside(tree, path);
      return real === undefined ? undefined : readBounded(real);
    },
    list: async (path) => {
      const real = await inside(tree, path);
      const names = real === undefined ? [] : await readdir(real).catch(() => []);
      return names.sort().slice(0, MOST_NAMES);
    },
  };
}

async function inside(tree: string, path: string): Promise<string | undefined> {
  try {
    const root = await realpath(tree);
    const real = await realpath(join(root, path));
    return real === root || real.startsWith(root + sep) ? real : undefined;
  } catch {
    return undefined;
  }
}

async function readBounded(path: string): Promise<string | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size } = await file.stat().then((stat) => (stat.isFile() ? stat : { size: Number.POSITIVE_INFINITY }));
    if (size > MOST_BYTES) return undefined;
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes.subarray(0, bytesRead).toString('utf8');
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}
