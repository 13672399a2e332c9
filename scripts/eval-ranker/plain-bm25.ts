const K1 = 1.2;
const B = 0.75;

/**
 * BM25 (Robertson and Zaragoza 2009) as any search library has it: words in lower case, files as they are, nothing
 * split, cut or left out. Scores of the texts in their order.
 */
export function plainBm25(texts: string[], query: string): number[] {
  const wanted = countsOf(query);
  const documents = texts.map((text) => documentOf(text, wanted));
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  const scores = new Array<number>(texts.length).fill(0);
  for (const [word, repeated] of wanted) {
    const holding = documents.filter(({ counts }) => counts.has(word)).length;
    const rarity = Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
    documents.forEach(({ counts, length }, at) => {
      const count = counts.get(word) ?? 0;
      const norm = K1 * (1 - B + (B * length) / average);
      scores[at] = (scores[at] as number) + (repeated * rarity * count * (K1 + 1)) / (count + norm);
    });
  }
  return scores;
}

/** Counts of the query's words alone: nothing else is asked for. */
function documentOf(text: string, wanted: Map<string, number>): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  let length = 0;
  for (const word of wordsOf(text)) {
    length++;
    if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return { counts, length };
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\w+/g) ?? [];
