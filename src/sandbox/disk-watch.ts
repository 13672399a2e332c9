import { statfs } from 'node:fs/promises';
import type { DiskUse } from './disk-use.ts';

export interface DiskLimits {
  bytes: number;
  files: number;
}

/** One place that a container can fill. */
export interface DiskPlace {
  /** As people know it. */
  name: string;
  /** A path on the same file system, where this machine has one. */
  path: string | undefined;
  limits: DiskLimits;
  /** What is there, counted no further than `most`. */
  measure(most: DiskLimits): Promise<DiskUse>;
}

interface Free {
  bytes: number;
  files: number;
}

const TICK_MS = 200;
/** Whether something was written is asked of the file system at each tick; what it is, only after this part of the limit. */
const PART = 16;
/** Where that cannot be asked, and for what does not show there. */
const LOOK_AGAIN_MS = 5_000;
/** A file system that has no more left is everybody's trouble. */
const FLOOR: Free = { bytes: 256 * 2 ** 20, files: 2_000 };
/** Above its limit, a place may not grow by more than this: whoever cleans up may write a little. */
const SLACK: Free = { bytes: 16 * 2 ** 20, files: 500 };
/** Space that disappears without a trace in the place (files that were deleted while open) counts above this. */
const UNSEEN = 2;

/**
 * Keeps one place within its limits while commands run: from the use at the start on it may grow by so much. Made before
 * the first command; each command is watched by itself.
 */
export class DiskWatch {
  readonly #place: DiskPlace;
  readonly #start: DiskUse;
  /** What it took when it was looked at last. */
  #last: DiskUse;

  private constructor(place: DiskPlace, start: DiskUse) {
    this.#place = place;
    this.#start = start;
    this.#last = start;
  }

  static async begin(place: DiskPlace): Promise<DiskWatch> {
    const everything = { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY };
    return new DiskWatch(place, await place.measure(everything));
  }

  /** Calls `stop` once, with why, when the command has written too much. Gives what ends the watching. */
  watch(stop: (why: string) => void): () => void {
    const ended = new AbortController();
    void this.#run(stop, ended.signal).catch(() => undefined);
    return () => ended.abort();
  }

  async #run(stop: (why: string) => void, ended: AbortSignal): Promise<void> {
    const { path } = this.#place;
    const before = await freeAt(path);
    const tolerated = this.#tolerated();
    let seen = before;
    let lookedAt = performance.now();
    while (!ended.aborted) {
      const now = await freeAt(path);
      if (now !== undefined && isScarce(now)) return stop(`the disk of ${this.#place.name} is full`);
      if (this.#isWorthALook(seen, now) || performance.now() - lookedAt > LOOK_AGAIN_MS) {
        const why = await this.#excess(tolerated, before, now);
        if (ended.aborted) return;
        if (why !== undefined) return stop(why);
        [seen, lookedAt] = [now, performance.now()];
      }
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  }

  /** The limit; for a place that is beyond it already, what it has and little more. */
  #tolerated(): DiskLimits {
    const { limits } = this.#place;
    return {
      bytes: Math.max(this.#start.bytes + limits.bytes, this.#last.bytes + SLACK.bytes),
      files: Math.max(this.#start.files + limits.files, this.#last.files + SLACK.files),
    };
  }

  #isWorthALook(seen: Free | undefined, now: Free | undefined): boolean {
    if (seen === undefined || now === undefined) return false;
    const { limits } = this.#place;
    return seen.bytes - now.bytes > limits.bytes / PART || seen.files - now.files > limits.files / PART;
  }

  async #excess(tolerated: DiskLimits, before: Free | undefined, now: Free | undefined): Promise<string | undefined> {
    const { limits, name, measure } = this.#place;
    const use = await measure(tolerated);
    this.#last = use;
    const gone = { bytes: (before?.bytes ?? 0) - (now?.bytes ?? 0), files: (before?.files ?? 0) - (now?.files ?? 0) };
    const factor = use.whole ? UNSEEN : 1;
    const unseen = gone.bytes > limits.bytes * factor || gone.files > limits.files * factor;
    if (use.bytes > tolerated.bytes || (unseen && gone.bytes > limits.bytes))
      return `${name} grew by more than ${sizeOf(limits.bytes)}`;
    return use.files > tolerated.files || unseen ? `${name} got more than ${limits.files} new files` : undefined;
  }
}

async function freeAt(path: string | undefined): Promise<Free | undefined> {
  if (path === undefined) return undefined;
  try {
    const { bavail, bsize, ffree, files } = await statfs(path);
    // Some file systems count no files at all.
    return { bytes: bavail * bsize, files: files > 0 ? ffree : Number.MAX_SAFE_INTEGER };
  } catch {
    return undefined;
  }
}

const isScarce = (free: Free): boolean => free.bytes < FLOOR.bytes || free.files < FLOOR.files;

const sizeOf = (bytes: number): string => (bytes >= 1e9 ? `${bytes / 1e9} GB` : `${Math.round(bytes / 1e6)} MB`);
