import { languageOf } from '../languages/languages.ts';
import { scanDefinitions } from '../outline/scan-definitions.ts';
import type { Definition } from '../repository.ts';

/** A piece of a file that is compared with the issue: a definition up to the next one, or a block of lines. */
export interface Chunk {
  /** 1-based, inclusive. */
  startLine: number;
  endLine: number;
  definition?: Definition;
}

const BLOCK_LINES = 40;
const MAX_CHUNKS = 3000;

/** Definitions where the language is known, else blocks that end at blank lines. Together they cover the file. */
export function chunksOf(path: string, text: string, lines: readonly string[]): Chunk[] {
  const language = languageOf(path);
  const definitions = language ? scanDefinitions(text, language).filter((one) => one.kind !== 'variable') : [];
  return definitions.length > 0 ? byDefinitions(definitions.slice(0, MAX_CHUNKS), lines) : byBlocks(lines);
}

function byDefinitions(definitions: Definition[], lines: readonly string[]): Chunk[] {
  const chunks: Chunk[] = [];
  const starts = definitions.map(({ startLine }, index) =>
    startWithHead(lines, startLine, definitions[index - 1]?.startLine ?? 0),
  );
  if ((starts[0] as number) > 1) chunks.push({ startLine: 1, endLine: (starts[0] as number) - 1 });
  definitions.forEach((definition, index) => {
    const startLine = starts[index] as number;
    const next = starts[index + 1] ?? lines.length + 1;
    chunks.push({ startLine, endLine: Math.max(startLine, next - 1), definition });
  });
  return chunks;
}

const LONGEST_HEAD = 60;
/** How decorators, attributes and comments begin. */
const HEAD = /^\s*(?:@|#|\/\/|\/?\*)/;

/** A definition begins with the decorators and comments that stand over it without a blank line between. */
function startWithHead(lines: readonly string[], startLine: number, after: number): number {
  let start = startLine;
  const limit = Math.max(after, startLine - LONGEST_HEAD);
  for (let line = startLine - 1; line > limit; line--) {
    const text = lines[line - 1] as string;
    if (text.trim() === '') break;
    if (HEAD.test(text.slice(0, 200))) start = line;
  }
  return start;
}

function byBlocks(lines: readonly string[]): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  for (let at = 0; at < lines.length; at++) {
    const length = at - start + 1;
    const atBreak = (lines[at] as string).trim() === '' && length >= BLOCK_LINES / 4;
    if (!atBreak && length < BLOCK_LINES && at < lines.length - 1) continue;
    chunks.push({ startLine: start + 1, endLine: at + 1 });
    start = at + 1;
    if (chunks.length === MAX_CHUNKS) break;
  }
  return chunks;
}
