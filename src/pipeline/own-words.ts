import { addedLines } from '../domain/added-lines.ts';
import type { Patch } from '../domain/patch.ts';
import { outputLines } from '../environment/output-lines.ts';

/** So many words in a row, of so many characters, are no coincidence. */
const WORDS = 3;
const CHARACTERS = 12;
const MOST_LINES = 400;
const MOST_PHRASES = 20_000;
/** Quotes that never close make each of them look far ahead: of more than this, nothing is looked at. */
const MOST_LOOKED_AT = 500_000;
const MOST_SOURCES = 20_000;
const LITERALS = /"(?:[^"\\]|\\.){1,500}"|'(?:[^'\\]|\\.){1,500}'|`(?:[^`\\]|\\.){1,500}`/g;

/**
 * The line of an output in which the regression test itself says what is wrong: it repeats words that the change's test
 * files print, and is not their source, which compilers and shells show too. So a script that no test runner knows can
 * be told from a command that failed before it tested anything.
 */
export function ownWords(output: string, patch: Patch | undefined): string | undefined {
  const added = testLines(patch);
  const phrases = phrasesOf(added);
  if (phrases.size === 0) return undefined;
  const sources = added
    .slice(0, MOST_SOURCES)
    .map((line) => line.trim())
    .filter((line) => line.length >= CHARACTERS);
  const lines = outputLines(output).slice(-MOST_LINES);
  return lines.find(
    (line) => shingles(line).some((words) => phrases.has(words)) && !sources.some((source) => line.includes(source)),
  );
}

function testLines(patch: Patch | undefined): string[] {
  if (patch === undefined) return [];
  const tests = new Set(patch.files.filter(({ kind }) => kind === 'test').map(({ path }) => path));
  return addedLines(patch)
    .filter(({ path }) => tests.has(path))
    .map(({ text }) => text);
}

function phrasesOf(lines: string[]): Set<string> {
  const phrases = new Set<string>();
  let looked = 0;
  for (const line of lines) {
    looked += line.length;
    if (looked > MOST_LOOKED_AT) return phrases;
    for (const [literal] of line.slice(0, 2_000).matchAll(LITERALS)) {
      if (phrases.size > MOST_PHRASES) return phrases;
      for (const words of shingles(literal.slice(1, -1))) phrases.add(words);
    }
  }
  return phrases;
}

function shingles(text: string): string[] {
  const words = text.trim().split(/\s+/);
  return words
    .map((_, at) => words.slice(at, at + WORDS))
    .filter((some) => some.length === WORDS)
    .map((some) => some.join(' '))
    .filter((some) => some.length >= CHARACTERS);
}
