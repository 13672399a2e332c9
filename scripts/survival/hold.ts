import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The log line after which a process holds still. */
export interface Hold {
  /** How the issue's name ends. */
  issue: string;
  /** Fields that the line has. */
  line: Record<string, string>;
  /** How many times other work that can go on may do so before. */
  turns: number;
}

/** What makes Node hold where the file says. */
export const holdingArguments = (file: string): string[] => [
  '--import',
  `${pathToFileURL(join(import.meta.dirname, 'hold-at.ts')).href}?file=${encodeURIComponent(file)}`,
];

/** Gives the function that takes the wish back. */
export function askToHold(file: string, hold: Hold): () => void {
  writeFileSync(file, JSON.stringify(hold));
  return () => rmSync(file, { force: true });
}
