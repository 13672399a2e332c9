import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EnvironmentError, InputError } from '../domain/errors.ts';
import { diskError } from './disk-error.ts';

/**
 * Takes `folder` for this process alone. The lock is one of the operating system (SQLite's on `fathom.lock`): it goes
 * with the process however that ends, and holds between containers that share the folder.
 * Gives the function that releases it. @throws InputError when another process holds it, EnvironmentError.
 */
export function lockDirectory(folder: string): () => void {
  const path = join(folder, 'fathom.lock');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw diskError(folder, error);
  }
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path);
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;');
  } catch (error) {
    lock?.close();
    throw refusal(folder, path, error);
  }
  const held = lock;
  return () => held.close();
}

/** https://www.sqlite.org/rescode.html#busy */
const BUSY = 5;

function refusal(folder: string, path: string, cause: unknown): Error {
  if (cause instanceof Error && 'errcode' in cause && cause.errcode === BUSY) {
    const remedy = 'Stop the other process, set FATHOM_DATA to another folder, or use PostgreSQL with DATABASE_URL.';
    return new InputError([{ source: folder, message: 'is in use by another Fathom process', remedy }], { cause });
  }
  const remedy = 'Give this user the right to read and write there, on a file system that has locks.';
  return new EnvironmentError('lock', `cannot lock ${path}`, remedy, { cause });
}
