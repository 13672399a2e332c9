/** File metrics of one instance, each from 0 to 1 (SHERLOC, Appendix B). */
export interface FileMetrics {
  precision: number;
  recall: number;
  f1: number;
  /** 1 where the sets are equal. */
  exact: number;
  /** Intersection over union: SHERLOC's set accuracy. */
  jaccard: number;
  /** 1 where one of the first k predictions is a gold file. */
  hitAt1: number;
  hitAt3: number;
  hitAt5: number;
  /** The share of the gold files that the first prediction names: SHERLOC's recall@1. */
  recallAt1: number;
}

/**
 * Compares predicted files, best first, with the gold files. No prediction scores 0 everywhere: a run that named
 * nothing did not find the place. `gold` is not empty; repeated predictions count once, at their first rank.
 */
export function fileMetrics(predicted: string[], gold: string[]): FileMetrics {
  const ranked = [...new Set(predicted)];
  const wanted = new Set(gold);
  const found = ranked.filter((path) => wanted.has(path)).length;
  const precision = ranked.length === 0 ? 0 : found / ranked.length;
  const recall = found / wanted.size;
  const hit = (k: number) => Number(ranked.slice(0, k).some((path) => wanted.has(path)));
  return {
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    exact: Number(found === wanted.size && found === ranked.length),
    jaccard: found / (ranked.length + wanted.size - found),
    hitAt1: hit(1),
    hitAt3: hit(3),
    hitAt5: hit(5),
    recallAt1: hit(1) / wanted.size,
  };
}
