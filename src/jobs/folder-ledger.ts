import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { InputError } from '../domain/errors.ts';
import type { RunLedger } from '../domain/ports/run-ledger.ts';
import { addSpent, nothingSpent, Spent } from '../domain/usage.ts';
import { diskError } from './disk-error.ts';

/**
 * A RunLedger in one folder for one run: each artefact is `<key>.json`, the events are `events.jsonl`.
 * A file is written beside its place and then moved there, so that a crash never leaves half an artefact.
 * @throws EnvironmentError when the disk refuses, InputError when a kept file does not fit.
 */
export function createFolderLedger(folder: string): RunLedger {
  let adding: Promise<void> = Promise.resolve();
  const fileOf = (key: string) => join(folder, `${key}.json`);
  const load = async <T>(key: string, schema: z.ZodType<T>) => readArtefact(fileOf(key), schema);
  return {
    load: (_run, key, schema) => load(key, schema),
    save: (_run, key, value) => writeArtefact(fileOf(key), value),
    append: async (_run, event) => {
      await appendLine(join(folder, 'events.jsonl'), event);
    },
    spent: async () => (await load('spent', Spent)) ?? nothingSpent(),
    addSpent: (_run, spent) => {
      const next = adding.then(async () => {
        const before = (await load('spent', Spent)) ?? nothingSpent();
        await writeArtefact(fileOf('spent'), addSpent(before, spent));
      });
      adding = next.catch(() => undefined);
      return next;
    },
  };
}

export async function appendLine(path: string, value: unknown): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await appendFile(path, `${JSON.stringify(value)}\n`);
  } catch (error) {
    throw diskError(path, error);
  }
}

async function readArtefact<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw diskError(path, error);
  }
  const parsed = schema.safeParse(parseJson(path, text));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => ({
    source: path,
    message: `${issue.path.join('.') || 'content'}: ${issue.message}`,
    remedy: 'Remove the file to do its stage again, or start a new run.',
  }));
  throw new InputError(problems, { cause: parsed.error });
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const remedy = 'Remove the file to do its stage again, or start a new run.';
    throw new InputError([{ source: path, message: 'is not JSON', remedy }], { cause });
  }
}

async function writeArtefact(path: string, value: unknown): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const beside = `${path}.${process.pid}.tmp`;
    await writeFile(beside, `${JSON.stringify(value, null, 2)}\n`);
    await rename(beside, path);
  } catch (error) {
    throw diskError(path, error);
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
