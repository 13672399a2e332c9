import { isProgram, roleOf } from '../file-kind.ts';
import type { Definition } from '../repository.ts';
import type { SourceFiles } from '../source-files.ts';
import { type Chunk, chunksOf } from './chunks.ts';
import type { Words } from './words.ts';

const MAX_FILE = 1024 * 1024;
const MAX_TOTAL = 96 * 1024 * 1024;
const MAX_LINE = 1000;
const BUILD_MILLISECONDS = 40_000;
const K1 = 1.2;
const B = 0.75;

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
  private readonly fileOfChunk: number[] = [];
  private readonly lengths: number[] = [];
  /** Per word: chunk, count, chunk, count … */
  private readonly postings = new Map<string, number[]>();
  private readonly definedIn = new Map<string, number[]>();
  private readonly words: Words;

  constructor(source: SourceFiles, words: Words) {
    this.words = words;
    const deadline = performance.now() + BUILD_MILLISECONDS;
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

  /** Numbers of the files that hold a word (as `Words` gives them). */
  holding(word: string): Set<number> {
    const files = new Set<number>();
    const list = this.postings.get(word) ?? [];
    for (let at = 0; at < list.length; at += 2) files.add(this.fileOfChunk[list[at] as number] as number);
    return files;
  }

  /** BM25 of every chunk for words with their weights. */
  chunkScores(query: ReadonlyMap<string, number>): Float64Array {
    const scores = new Float64Array(this.lengths.length);
    const average = this.lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, this.lengths.length);
    for (const [word, weight] of query) {
      const list = this.postings.get(word);
      if (!list) continue;
      const idf = inverseFrequency(this.files.length, this.holding(word).size);
      for (let at = 0; at < list.length; at += 2) {
        const chunk = list[at] as number;
        const count = list[at + 1] as number;
        const norm = 1 - B + (B * (this.lengths[chunk] as number)) / average;
        scores[chunk] = (scores[chunk] as number) + (weight * idf * count * (K1 + 1)) / (count + K1 * norm);
      }
    }
    return scores;
  }

  /** BM25 of every file as a whole. */
  fileScores(query: ReadonlyMap<string, number>): Float64Array {
    const scores = new Float64Array(this.files.length);
    const average = this.files.reduce((sum, file) => sum + file.words, 0) / Math.max(1, this.files.length);
    for (const [word, weight] of query) {
      const counts = this.countsByFile(word);
      const idf = inverseFrequency(this.files.length, counts.size);
      for (const [file, count] of counts) {
        const norm = 1 - B + (B * (this.files[file] as IndexedFile).words) / average;
        scores[file] = (scores[file] as number) + (weight * idf * count * (K1 + 1)) / (count + K1 * norm);
      }
    }
    return scores;
  }

  private countsByFile(word: string): Map<number, number> {
    const counts = new Map<number, number>();
    const list = this.postings.get(word) ?? [];
    for (let at = 0; at < list.length; at += 2) {
      const file = this.fileOfChunk[list[at] as number] as number;
      counts.set(file, (counts.get(file) ?? 0) + (list[at + 1] as number));
    }
    return counts;
  }

  private add(path: string, text: string, lines: readonly string[]): void {
    const number = this.files.length;
    const chunks = chunksOf(path, text, lines);
    const from = this.lengths.length;
    let words = 0;
    for (const chunk of chunks) words += this.addChunk(number, lines.slice(chunk.startLine - 1, chunk.endLine));
    const definitions = new Map<string, Definition[]>();
    for (const { definition } of chunks) if (definition) push(definitions, definition.name, definition);
    for (const name of definitions.keys()) push(this.definedIn, name, number);
    this.files.push({ path, chunks, from, to: this.lengths.length, words, definitions });
  }

  private addChunk(file: number, lines: readonly string[]): number {
    const chunk = this.lengths.length;
    const counts = new Map<string, number>();
    let length = 0;
    for (const line of lines) {
      for (const word of this.words.of(line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line)) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
        length++;
      }
    }
    this.lengths.push(length);
    this.fileOfChunk.push(file);
    for (const [word, count] of counts) {
      const list = this.postings.get(word);
      if (list) list.push(chunk, count);
      else this.postings.set(word, [chunk, count]);
    }
    return length;
  }
}

function inverseFrequency(total: number, holding: number): number {
  return Math.log(1 + (total - holding + 0.5) / (holding + 0.5));
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
