import { javascript, tsx, typescript } from './javascript.ts';
import type { Language } from './language.ts';
import { python } from './python.ts';

const LANGUAGES: readonly Language[] = [python, javascript, typescript, tsx];

const BY_EXTENSION = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((end) => [end, language] as const)),
);

/** The language of a file by its name, or undefined where none of ours. */
export function languageOf(path: string): Language | undefined {
  return BY_EXTENSION.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}
