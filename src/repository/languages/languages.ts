import { c, cpp } from './c.ts';
import { csharp } from './csharp.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { javascript, tsx, typescript } from './javascript.ts';
import { kotlin } from './kotlin.ts';
import type { Language } from './language.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';

const LANGUAGES: readonly Language[] = [
  python,
  javascript,
  typescript,
  tsx,
  go,
  java,
  kotlin,
  rust,
  c,
  cpp,
  csharp,
  ruby,
  php,
];

const BY_EXTENSION = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((end) => [end, language] as const)),
);

/** The language of a file by its name, or undefined where none of ours. */
export function languageOf(path: string): Language | undefined {
  return BY_EXTENSION.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}
