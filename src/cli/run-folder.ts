import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InputError } from '../domain/errors.ts';
import { Run } from '../domain/run.ts';
import { diskError } from '../jobs/disk-error.ts';
import { createFolderLedger } from '../jobs/folder-ledger.ts';

/** A short id that is easy to read out and unlikely to be met twice on one engine. */
export const newRunId = (): string => randomBytes(5).toString('hex');

/** The folder of a run, held by this process until one of these is called. */
export interface ClaimedFolder {
  /** Lets go of it and leaves everything there. */
  release(): Promise<void>;
  /** Lets go of it and takes away what came since it was claimed, with the folders that were made for it. */
  discard(): Promise<void>;
}

/**
 * Makes the folder of a run and takes its lock, so that two processes never write into one run.
 * @throws InputError when another process holds it or it holds another run, EnvironmentError when the disk refuses.
 */
export async function claimRunFolder(folder: string, resuming: boolean): Promise<ClaimedFolder> {
  const made = await makeFolder(folder);
  if (!resuming && (await exists(join(folder, 'run.json')))) {
    const remedy = `Choose another folder with --out, or go on with --resume ${folder}`;
    throw new InputError([{ source: folder, message: 'holds a run already', remedy }]);
  }
  const before = new Set(await readdir(folder));
  const lock = join(folder, 'run.lock');
  await takeLock(lock);
  const release = () => rm(lock, { force: true });
  return {
    release,
    discard: async () => {
      const came = (await readdir(folder)).filter((name) => !before.has(name));
      await Promise.all(came.map((name) => rm(join(folder, name), { recursive: true, force: true })));
      // A lock that a dead process left was there before.
      await release();
      if (made !== undefined) await removeEmpty(folder, made);
    },
  };
}

/** Removes `folder` and what it lies in up to `first`, as far as nobody put anything there. */
export async function removeEmpty(folder: string, first: string): Promise<void> {
  for (let at = folder; at.length >= first.length; at = dirname(at)) {
    const isGone = await rmdir(at).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

/** The run that was started in `folder`. @throws InputError when there is none that can be understood. */
export async function readRun(folder: string): Promise<Run> {
  const run = await createFolderLedger(folder).load('', 'run', Run);
  if (run) return run;
  const remedy = 'Give the folder that the run named when it stopped.';
  throw new InputError([{ source: folder, message: 'holds no run to go on with', remedy }]);
}

/** Gives the outermost folder that had to be made. */
async function makeFolder(folder: string): Promise<string | undefined> {
  try {
    return await mkdir(folder, { recursive: true });
  } catch (error) {
    if (!isNoFolder(error)) throw diskError(folder, error);
    const problem = {
      source: folder,
      message: 'is no folder, or lies below a file',
      remedy: 'Choose another with --out.',
    };
    throw new InputError([problem], { cause: error });
  }
}

const isNoFolder = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EEXIST' || error.code === 'ENOTDIR');

async function takeLock(lock: string): Promise<void> {
  for (let tries = 0; tries < 2; tries++) {
    try {
      const file = await open(lock, 'wx');
      await file.writeFile(String(process.pid));
      await file.close();
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw diskError(lock, error);
      await refuseIfAlive(lock);
      await rm(lock, { force: true });
    }
  }
}

async function refuseIfAlive(lock: string): Promise<void> {
  const pid = Number((await readFile(lock, 'utf8').catch(() => '')).trim());
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return;
  const remedy = 'Wait for it, stop it, or choose another folder with --out.';
  throw new InputError([{ source: lock, message: `process ${pid} is working on this run`, remedy }]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const exists = (path: string): Promise<boolean> =>
  readFile(path).then(
    () => true,
    () => false,
  );
