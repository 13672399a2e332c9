import { readFile, truncate } from 'node:fs/promises';
import { InputError } from '../domain/errors.ts';
import { Decision } from '../evaluation/backtest/mined.ts';
import { diskError } from '../jobs/disk-error.ts';

/** Decisions of an earlier call. A last line that was cut off by a stop is removed. @throws InputError */
export async function readDecisions(path: string): Promise<Decision[]> {
  const text = await readText(path);
  if (text === undefined) return [];
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => decisionIn(line, `${path}:${index + 1}`));
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw diskError(path, error);
  }
}

function decisionIn(line: string, source: string): Decision {
  try {
    return Decision.parse(JSON.parse(line));
  } catch (cause) {
    const remedy = 'Remove the line, or start with another --out.';
    throw new InputError([{ source, message: 'is no decision of a backtest', remedy }], { cause });
  }
}
