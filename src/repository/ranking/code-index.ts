import { isProgram, roleOf } from '../file-kind.ts';
import type { Definition } from '../repository.ts';
import type { SourceFiles } from '../source-files.ts';
import { type Chunk, chunksOf } from './chunks.ts';
import { inverseFrequency, meanOf, Postings, saturated } from './postings.ts';
import type { Words } from './words.ts';

const MAX_FILE = 1024 * 1024;
const MAX_TOTAL = 96 * 1024 * 1024;
const MAX_LINE = 1000;
const BUILD_MILLISECONDS = 40_000;

export interface IndexedFile {
  path: string;
  chunks: Chunk[];
  /** Numbers of its first chunk and of the one after its last. */
  from: number;
  to: number;
  words: number;
  definitions: Map<string, Definition[]>;
}

/** The candidate files (sources that are no tests, docs or examples) as chunks of words, ready for BM25. */
export class CodeIndex {
  readonly files: IndexedFile[] = [];
  private readonly chunks = new Postings();
  /** What stands over and at the beginning of each definition, in the order of the chunks. */
  private readonly heads = new Postings();
  private readonly definedIn = new Map<string, number[]>();
  private readonly decoratedIn = new Map<string, number[]>();
  private readonly words: Words;

  constructor(source: SourceFiles, words: Words, buildMilliseconds = BUILD_MILLISECONDS) {
    this.words = words;
    const deadline = performance.now() + buildMilliseconds;
    let total = 0;
    for (const [path, size] of source.sizes) {
      if (size > MAX_FILE || size === 0 || !isProgram(path) || roleOf(path) !== 'source') continue;
      total += size;
      if (total > MAX_TOTAL || performance.now() > deadline) break;
      const file = source.text(path);
      if (file.kind === 'text') this.add(path, file.text, file.lines);
    }
  }

  /** Numbers of the files that define a name. */
  defining(name: string): readonly number[] {
    return this.definedIn.get(name) ?? [];
  }

  /** Numbers of the files with a definition that a decorator gives this name: `@cli.command("routes")`. */
  decorated(name: string): readonly number[] {
    return this.decoratedIn.get(name) ?? [];
  }

  /** Numbers of the files that hold a word (as `Words` gives them). */
  holding(word: string): Set<number> {
    return new Set(this.chunks.countsByFile(word).keys());
  }

  /** BM25 of every chunk for words with their weights. */
  chunkScores(query: ReadonlyMap<string, number>): Float64Array {
    return this.chunks.scores(query, this.files.length);
  }

  /** The same for names, decorators and first lines alone. */
  headScores(query: ReadonlyMap<string, number>): Float64Array {
    return this.heads.scores(query, this.files.length);
  }

  /** BM25 of every file as a whole. */
  fileScores(query: ReadonlyMap<string, number>): Float64Array {
    const scores = new Float64Array(this.files.length);
    const average = meanOf(this.files.map((file) => file.words));
    for (const [word, weight] of query) {
      const counts = this.chunks.countsByFile(word);
      const rarity = weight * inverseFrequency(this.files.length, counts.size);
      for (const [file, count] of counts) {
        const length = (this.files[file] as IndexedFile).words / average;
        scores[file] = (scores[file] as number) + rarity * saturated(count, length);
      }
    }
    return scores;
  }

  private add(path: string, text: string, lines: readonly string[]): void {
    const number = this.files.length;
    const chunks = chunksOf(path, text, lines);
    const from = this.chunks.lengths.length;
    let words = 0;
    for (const chunk of chunks) {
      words += this.chunks.add(number, this.wordsOf(lines.slice(chunk.startLine - 1, chunk.endLine)));
      this.heads.add(number, this.wordsOf(headLines(chunk, lines)));
    }
    const definitions = new Map<string, Definition[]>();
    for (const { definition } of chunks) if (definition) push(definitions, definition.name, definition);
    for (const name of definitions.keys()) push(this.definedIn, name, number);
    for (const name of new Set(chunks.flatMap((chunk) => decoratedNames(chunk, lines))))
      push(this.decoratedIn, name, number);
    this.files.push({ path, chunks, from, to: this.chunks.lengths.length, words, definitions });
  }

  private *wordsOf(lines: readonly string[]): Generator<string> {
    for (const line of lines) yield* this.words.of(line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line);
  }
}

const HEAD_BEFORE = 12;
const HEAD_AFTER = 3;

/** Decorators and comments over a definition, its first line, and the beginning of what follows (a docstring). */
function headLines(chunk: Chunk, lines: readonly string[]): readonly string[] {
  if (!chunk.definition) return [];
  const { startLine } = chunk.definition;
  const from = Math.max(chunk.startLine, startLine - HEAD_BEFORE);
  return lines.slice(from - 1, Math.min(chunk.endLine, startLine + HEAD_AFTER));
}

/** The first string of each decorator or attribute over a definition. */
function decoratedNames({ startLine, definition }: Chunk, lines: readonly string[]): string[] {
  if (!definition) return [];
  return lines
    .slice(startLine - 1, definition.startLine - 1)
    .map((line) => /^\s*[@#].{0,80}?\(["']([A-Za-z][\w-]{2,40})["']/.exec(line.slice(0, 200))?.[1])
    .filter((name) => name !== undefined);
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
