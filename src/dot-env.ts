import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Problem } from './domain/errors.ts';

/** The variables of `.env` in `folder`, none where there is no such file; what is wrong with it goes to `problems`. */
export function readDotEnv(folder: string, problems: Problem[]): NodeJS.Dict<string> {
  const path = join(folder, '.env');
  try {
    return withoutEmpty(parseEnv(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    problems.push({ source: path, message: 'cannot be read', remedy: 'Make it a readable text file, or remove it.' });
    return {};
  }
}

/** `FATHOM_MODEL=` in a file means "not set", not "the model with the empty name". */
export function withoutEmpty(variables: NodeJS.Dict<string>): NodeJS.Dict<string> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim() !== ''));
}
