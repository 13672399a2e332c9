import fs from 'node:fs';
import path from 'node:path';
import { RepositoryError } from './repository-error.ts';
import { decodeText, type TextFile } from './text-file.ts';

const MAX_ENTRIES = 300_000;
const MAX_DEPTH = 128;
const RECENT_FILES = 32;
const RECENT_BYTES = 24 * 1024 * 1024;
/** A larger file is named, and never read whole. */
export const HUGE_BYTES = 8 * 1024 * 1024;

interface Walked {
  folder: string;
  depth: number;
}

/**
 * The files of a checkout, listed once. Only regular files that were reached through real folders are in it, and only
 * they are ever opened: a link, wherever it leads, is known by name alone. Paths are relative, with "/".
 */
export class SourceFiles {
  readonly root: string;
  /** Size in bytes by path, in the order of the paths. */
  readonly sizes = new Map<string, number>();
  /** Names in each folder, folders ending in "/"; the root is "". */
  readonly folders = new Map<string, string[]>();
  readonly links = new Set<string>();
  /** Entries left out: names that are no UTF-8, devices, too deep, too many. */
  leftOut = 0;
  private readonly recent = new Map<string, TextFile>();
  private recentBytes = 0;

  constructor(tree: string) {
    try {
      this.root = fs.realpathSync(tree);
    } catch (cause) {
      throw new RepositoryError('unreadable', `no folder to read at ${tree}`, { cause });
    }
    this.list();
  }

  has(file: string): boolean {
    return this.sizes.has(file);
  }

  /** At most `limit` bytes from the start of a listed file; undefined for anything else. */
  bytes(file: string, limit: number): Buffer | undefined {
    const size = this.sizes.get(file);
    if (size === undefined) return undefined;
    let handle: number | undefined;
    try {
      handle = fs.openSync(path.join(this.root, file), READ_NO_LINK);
      if (!fs.fstatSync(handle).isFile()) return undefined;
      const buffer = Buffer.alloc(Math.min(size, limit));
      return buffer.subarray(0, readFully(handle, buffer));
    } catch {
      return undefined;
    } finally {
      if (handle !== undefined) fs.closeSync(handle);
    }
  }

  /** The text of a listed file, or why it has none. */
  text(file: string): TextFile {
    const known = this.recent.get(file);
    if (known) return known;
    const size = this.sizes.get(file);
    if (size === undefined) return { kind: 'missing', size: 0 };
    const text = size > HUGE_BYTES ? ({ kind: 'huge', size } as const) : decodeText(this.bytes(file, HUGE_BYTES), size);
    this.remember(file, text);
    return text;
  }

  private remember(file: string, text: TextFile): void {
    this.recent.set(file, text);
    this.recentBytes += text.size;
    for (const [oldest, { size }] of this.recent) {
      if (oldest === file || (this.recentBytes <= RECENT_BYTES && this.recent.size <= RECENT_FILES)) break;
      this.recent.delete(oldest);
      this.recentBytes -= size;
    }
  }

  private list(): void {
    const stack: Walked[] = [{ folder: '', depth: 0 }];
    const found: [string, number][] = [];
    let entries = 0;
    for (let next = stack.pop(); next; next = stack.pop()) {
      const names: string[] = [];
      this.folders.set(next.folder, names);
      for (const entry of listed(path.join(this.root, next.folder))) {
        if (entry.name === '.git') continue;
        if (++entries > MAX_ENTRIES) this.leftOut++;
        else this.listEntry(entry, next, names, found, stack);
      }
      names.sort();
    }
    found.sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [name, size] of found) this.sizes.set(name, size);
  }

  private listEntry(entry: fs.Dirent, at: Walked, names: string[], found: [string, number][], stack: Walked[]): void {
    const name = at.folder + entry.name;
    if (entry.isSymbolicLink()) this.links.add(name);
    else if (entry.isDirectory() && at.depth < MAX_DEPTH) {
      names.push(`${entry.name}/`);
      stack.push({ folder: `${name}/`, depth: at.depth + 1 });
    } else if (entry.isFile() && this.addFile(name, found)) names.push(entry.name);
    else this.leftOut++;
  }

  private addFile(name: string, found: [string, number][]): boolean {
    try {
      found.push([name, fs.lstatSync(path.join(this.root, name)).size]);
      return true;
    } catch {
      return false;
    }
  }
}

// O_NONBLOCK so that a pipe put in a file's place cannot hold the reader.
const READ_NO_LINK = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

function listed(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readFully(handle: number, buffer: Buffer): number {
  let offset = 0;
  while (offset < buffer.length) {
    const count = fs.readSync(handle, buffer, offset, buffer.length - offset, offset);
    if (count === 0) break;
    offset += count;
  }
  return offset;
}
