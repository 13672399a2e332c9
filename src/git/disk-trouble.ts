import { statfs } from 'node:fs/promises';
import { EnvironmentError, FathomError } from '../domain/errors.ts';

const SCARCE_BYTES = 256 * 1024 * 1024;
const SCARCE_FILES = 1000;

/**
 * Runs `action`; what the disk refused becomes an EnvironmentError. Git's exit code never says that a disk is full, so
 * after any failure the free space of `dir` is looked at, and a remedy that fits is given.
 */
export async function withDiskTrouble<T>(dir: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof FathomError && !(error instanceof EnvironmentError)) throw error;
    if (!(error instanceof EnvironmentError) && !isSystemError(error)) throw error;
    const shortage = await shortageOf(dir, error);
    if (shortage !== undefined) throw fullDisk(dir, shortage, error);
    throw error instanceof EnvironmentError ? error : refused(dir, error);
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && 'syscall' in error;

async function shortageOf(dir: string, error: Error): Promise<string | undefined> {
  const { bavail, bsize, ffree, files } = await statfs(dir).catch(() => statfs('/'));
  const free = bavail * bsize;
  const full = isSystemError(error) && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
  if (full || free < SCARCE_BYTES) return `${Math.floor(free / 1024 / 1024)} MiB are free`;
  // Some file systems count no files at all.
  return files > 0 && ffree < SCARCE_FILES ? `${ffree} more files fit` : undefined;
}

const fullDisk = (dir: string, shortage: string, cause: Error) =>
  new EnvironmentError(
    'disk-full',
    `${dir}: only ${shortage}. ${cause.message}`,
    'Free some space there or choose another data directory, then run it again.',
    { cause },
  );

const refused = (dir: string, cause: Error) =>
  new EnvironmentError('disk', `${dir}: ${cause.message}`, 'Check that the data directory exists and is writable.', {
    cause,
  });
