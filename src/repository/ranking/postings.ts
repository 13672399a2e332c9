const K1 = 1.2;
const B = 0.75;

/** An inverted index of pieces of files: which pieces hold a word, and how often. */
export class Postings {
  /** Words of each piece. */
  readonly lengths: number[] = [];
  private readonly fileOf: number[] = [];
  /** Per word: piece, count, piece, count … */
  private readonly lists = new Map<string, number[]>();

  /** Adds a piece of a file and gives its number of words. */
  add(file: number, words: Iterable<string>): number {
    const piece = this.lengths.length;
    const counts = new Map<string, number>();
    let length = 0;
    for (const word of words) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      length++;
    }
    this.lengths.push(length);
    this.fileOf.push(file);
    for (const [word, count] of counts) {
      const list = this.lists.get(word);
      if (list) list.push(piece, count);
      else this.lists.set(word, [piece, count]);
    }
    return length;
  }

  /** How often each file holds a word. */
  countsByFile(word: string): Map<number, number> {
    const counts = new Map<number, number>();
    const list = this.lists.get(word) ?? [];
    for (let at = 0; at < list.length; at += 2) {
      const file = this.fileOf[list[at] as number] as number;
      counts.set(file, (counts.get(file) ?? 0) + (list[at + 1] as number));
    }
    return counts;
  }

  /** BM25 of every piece for words with their weights; a word is as rare as the files that hold it, of `files`. */
  scores(query: ReadonlyMap<string, number>, files: number): Float64Array {
    const scores = new Float64Array(this.lengths.length);
    const average = meanOf(this.lengths);
    for (const [word, weight] of query) {
      const list = this.lists.get(word);
      if (!list) continue;
      const rarity = weight * inverseFrequency(files, this.countsByFile(word).size);
      for (let at = 0; at < list.length; at += 2) {
        const piece = list[at] as number;
        scores[piece] =
          (scores[piece] as number) +
          rarity * saturated(list[at + 1] as number, (this.lengths[piece] as number) / average);
      }
    }
    return scores;
  }
}

/** BM25's share of a word that occurs `count` times in a text of `length` average lengths. */
export function saturated(count: number, length: number): number {
  return (count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
}

export function inverseFrequency(total: number, holding: number): number {
  return Math.log(1 + (total - holding + 0.5) / (holding + 0.5));
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
