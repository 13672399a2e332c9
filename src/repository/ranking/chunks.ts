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
  return definitions.length > 0 ? byDefinitions(definitions.slice(0, MAX_CHUNKS), lines.length) : byBlocks(lines);
}

function byDefinitions(definitions: Definition[], total: number): Chunk[] {
  const chunks: Chunk[] = [];
  const first = (definitions[0] as Definition).startLine;
  if (first > 1) chunks.push({ startLine: 1, endLine: first - 1 });
  definitions.forEach((definition, index) => {
    const next = definitions[index + 1]?.startLine ?? total + 1;
    chunks.push({ startLine: definition.startLine, endLine: Math.max(definition.startLine, next - 1), definition });
  });
  return chunks;
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
