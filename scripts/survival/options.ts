import { parseArgs } from 'node:util';
import { InputError } from '../../src/domain/errors.ts';
import type { DatabaseKind } from './kill-points.ts';

export const partNames = ['kills', 'queue', 'stops', 'flat'] as const;
export type PartName = (typeof partNames)[number];

export interface SurvivalOptions {
  databases: DatabaseKind[];
  parts: PartName[];
  seed: number;
  json: string | undefined;
}

const kinds: DatabaseKind[] = ['embedded', 'postgres'];

/** @throws InputError for what it does not know. */
export function readOptions(args: string[]): SurvivalOptions {
  const { values } = parseArgs({
    args,
    options: {
      database: { type: 'string' },
      only: { type: 'string' },
      seed: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  });
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) refuse('--seed', `${values.seed} is no whole number`, 'Give one.');
  return {
    databases: chosen('--database', values.database, kinds),
    parts: chosen('--only', values.only, partNames),
    seed,
    json: values.json,
  };
}

function chosen<T extends string>(source: string, text: string | undefined, known: readonly T[]): T[] {
  if (text === undefined) return [...known];
  const wanted = text.split(',').map((word) => word.trim());
  const strange = wanted.find((word) => !known.some((one) => one === word));
  if (strange !== undefined) refuse(source, `there is no ${strange}`, `There are ${known.join(', ')}.`);
  return known.filter((one) => wanted.includes(one));
}

function refuse(source: string, message: string, remedy: string): never {
  throw new InputError([{ source, message, remedy }]);
}
