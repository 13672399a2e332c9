import { describe, expect, it } from 'vitest';
import type { Location } from '#src/domain/finding.ts';
import { chunkMetrics } from '#src/evaluation/metrics/chunk-metrics.ts';
import { fileMetrics } from '#src/evaluation/metrics/file-metrics.ts';
import { seededRandom } from '#src/evaluation/statistics/seeded-random.ts';

const span = (path: string, startLine: number, endLine: number): Location => ({ path, startLine, endLine });

describe('file metrics', () => {
  it('equal the hand-calculated ones', () => {
    // Two of three predictions are among four gold files.
    expect(fileMetrics(['x', 'a', 'b'], ['a', 'b', 'c', 'd'])).toEqual({
      precision: 2 / 3,
      recall: 0.5,
      f1: expect.closeTo(4 / 7, 12),
      exact: 0,
      jaccard: 0.4,
      hitAt1: 0,
      hitAt3: 1,
      hitAt5: 1,
      recallAt1: 0,
    });
    expect(fileMetrics(['a', 'a'], ['a'])).toMatchObject({ precision: 1, exact: 1, jaccard: 1, recallAt1: 1 });
    expect(fileMetrics(['a'], ['a', 'b'])).toMatchObject({ exact: 0, hitAt1: 1, recallAt1: 0.5 });
  });

  it('are all 0 where nothing was named', () => {
    expect(Object.values(fileMetrics([], ['a']))).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('equal a second implementation on random sets', () => {
    const random = seededRandom(1);
    for (let round = 0; round < 300; round++) {
      const predicted = some(random, 0, 6);
      const gold = some(random, 1, 4);
      expect(fileMetrics(predicted, gold)).toEqual(naiveFiles(predicted, gold));
    }
  });
});

describe('chunk metrics', () => {
  it('equal the hand-calculated ones', () => {
    const gold = [span('a', 10, 11), span('a', 30, 30), span('b', 5, 9)];
    // The first holds a:10-11 (2 of 5 lines), the second holds nothing whole, the third holds a:10-11 and a:30.
    const predicted = [span('a', 8, 12), span('b', 6, 20), span('a', 1, 40)];
    expect(chunkMetrics(predicted, gold)).toEqual({
      coverageRecall: 2 / 3,
      precision: 2 / 3,
      tightness: (2 / 5 + 1 / 40) / 2,
    });
  });

  it('count a chunk that two spans hold only together as missed', () => {
    expect(chunkMetrics([span('a', 1, 5), span('a', 6, 9)], [span('a', 5, 6)])).toEqual({
      coverageRecall: 0,
      precision: 0,
    });
  });

  it('are not defined for a fix that only adds files', () => {
    expect(chunkMetrics([span('a', 1, 5)], [])).toBeUndefined();
  });

  it('equal a second implementation, line by line, on random spans', () => {
    const random = seededRandom(2);
    const spans = (count: number) =>
      Array.from({ length: count }, () => {
        const start = 1 + Math.floor(random() * 12);
        return span(random() < 0.5 ? 'a' : 'b', start, start + Math.floor(random() * 6));
      });
    for (let round = 0; round < 300; round++) {
      const [predicted, gold] = [spans(Math.floor(random() * 5)), spans(1 + Math.floor(random() * 4))];
      const actual = chunkMetrics(predicted, gold);
      const naive = naiveChunks(predicted, gold);
      expect(actual?.coverageRecall).toBeCloseTo(naive.coverageRecall, 12);
      expect(actual?.precision).toBeCloseTo(naive.precision, 12);
      if (naive.tightness === undefined) expect(actual?.tightness).toBeUndefined();
      else expect(actual?.tightness).toBeCloseTo(naive.tightness, 12);
    }
  });
});

function some(random: () => number, low: number, high: number): string[] {
  const count = low + Math.floor(random() * (high - low + 1));
  return Array.from({ length: count }, () => 'abcdefg'[Math.floor(random() * 7)] as string);
}

/** By counting over the universe of files instead of over sets. */
function naiveFiles(predicted: string[], gold: string[]) {
  let [both, onlyPredicted, onlyGold] = [0, 0, 0];
  for (const file of 'abcdefg') {
    if (predicted.includes(file) && gold.includes(file)) both++;
    else if (predicted.includes(file)) onlyPredicted++;
    else if (gold.includes(file)) onlyGold++;
  }
  const firsts = predicted.filter((file, index) => predicted.indexOf(file) === index);
  const hit = (k: number) => (firsts.some((file, index) => index < k && gold.includes(file)) ? 1 : 0);
  const precision = both + onlyPredicted === 0 ? 0 : both / (both + onlyPredicted);
  const recall = both / (both + onlyGold);
  return {
    precision,
    recall,
    f1: both === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    exact: onlyPredicted + onlyGold === 0 ? 1 : 0,
    jaccard: both / (both + onlyPredicted + onlyGold),
    hitAt1: hit(1),
    hitAt3: hit(3),
    hitAt5: hit(5),
    recallAt1: hit(1) / (both + onlyGold),
  };
}

/** Over sets of lines. */
function naiveChunks(predicted: Location[], gold: Location[]) {
  const lines = (one: Location) =>
    new Set(
      Array.from({ length: one.endLine - one.startLine + 1 }, (_, index) => `${one.path}:${one.startLine + index}`),
    );
  const sets = [...new Set(predicted.map((one) => JSON.stringify([...lines(one)])))].map(
    (text) => new Set<string>(JSON.parse(text)),
  );
  const goldSets = gold.map(lines);
  const inside = (chunk: Set<string>, set: Set<string>) => [...chunk].every((one) => set.has(one));
  const ratios = goldSets.flatMap((chunk) => {
    const all = sets.filter((set) => inside(chunk, set)).map((set) => chunk.size / set.size);
    return all.length === 0 ? [] : [all.sort((a, b) => b - a)[0] as number];
  });
  let sum = 0;
  for (const ratio of ratios) sum += ratio;
  const useful = sets.filter((set) => goldSets.some((chunk) => inside(chunk, set))).length;
  return {
    coverageRecall: ratios.length / gold.length,
    precision: sets.length === 0 ? 0 : useful / sets.length,
    tightness: ratios.length === 0 ? undefined : sum / ratios.length,
  };
}
