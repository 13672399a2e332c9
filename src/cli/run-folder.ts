import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../domain/errors.ts';
import { Run } from '../domain/run.ts';
import { diskError } from '../jobs/disk-error.ts';
import { createFolderLedger } from '../jobs/folder-ledger.ts';

/** A short id that is easy to read out and unlikely to be met twice on one engine. */
export const newRunId = (): string => randomBytes(5).toString('hex');

/**
 * Makes the folder of a run and takes its lock, so that two processes never write into one run.
 * @throws InputError when another process holds it or it holds another run, EnvironmentError when the disk refuses.
 */
export async function claimRunFolder(folder: string, resuming: boolean): Promise<() => Promise<void>> {
  await makeFolder(folder);
  if (!resuming && (await exists(join(folder, 'run.json')))) {
    const remedy = `Choose another folder with --out, or go on with --resume ${folder}`;
    throw new InputError([{ source: folder, message: 'holds a run already', remedy }]);
  }
  const lock = join(folder, 'run.lock');
  await takeLock(lock);
  return () => rm(lock, { force: true });
}

/** The run that was started in `folder`. @throws InputError when there is none that can be understood. */
export async function readRun(folder: string): Promise<Run> {
  const run = await createFolderLedger(folder).load('', 'run', Run);
  if (run) return run;
  const remedy = 'Give the folder that the run named when it stopped.';
  throw new InputError([{ source: folder, message: 'holds no run to go on with', remedy }]);
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
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
