import { EnvironmentError } from '../domain/errors.ts';

const remedies: Record<string, string> = {
  ENOSPC: 'Free some disk space; nothing that was finished is lost.',
  EDQUOT: 'Free some disk space or raise the quota; nothing that was finished is lost.',
  EACCES: 'Give this user the right to write there, or choose another folder with --out.',
  EROFS: 'Choose a folder that can be written to with --out.',
};

/** What the file system refused at `path`, with what to do about it. */
export function diskError(path: string, cause: unknown): EnvironmentError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  const remedy = remedies[code] ?? 'Look at the folder and the disk, then go on with --resume.';
  return new EnvironmentError(`disk-${code.toLowerCase()}`, `cannot write ${path} (${code})`, remedy, { cause });
}
