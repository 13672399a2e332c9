import { describe, expect, it } from 'vitest';
import { judgeFlat, type Sample } from '../../scripts/survival/judge-flat.ts';
import { seeded } from '../../scripts/survival/seeded.ts';

const RUNS = 60;
const samples = (heapOf: (runs: number) => number, residentOf = (_: number) => 300): Sample[] =>
  Array.from({ length: RUNS + 1 }, (_, runs) => ({
    runs,
    heapMiB: heapOf(runs),
    residentMiB: residentOf(runs),
    containers: 0,
  }));

describe('a process over many runs', () => {
  it('is flat where it grows only while it warms up', () => {
    const held = samples((runs) => Math.min(80, 50 + 3 * runs));
    expect(judgeFlat(held, RUNS)).toEqual({
      heap: { before: 80, after: 80 },
      resident: { before: 300, after: 300 },
      broken: [],
    });
  });

  it('is not where a little stays of every run', () => {
    expect(
      judgeFlat(
        samples((runs) => 50 + runs),
        RUNS,
      ).broken,
    ).toEqual(['the heap grew from 75.0 to 105.0 MiB']);
    expect(
      judgeFlat(
        samples(
          () => 50,
          (runs) => 300 + 5 * runs,
        ),
        RUNS,
      ).broken,
    ).toHaveLength(1);
  });

  it('is not where containers are left, or nothing was measured', () => {
    const left = samples(() => 50).map((sample) => ({ ...sample, containers: 2 }));
    expect(judgeFlat(left, RUNS).broken).toEqual(['2 containers are left']);
    expect(judgeFlat([], RUNS).broken).toHaveLength(3);
  });
});

describe('moments that a seed chooses', () => {
  it('are the same for the same seed, others for another, and all between 0 and 1', () => {
    const drawn = (seed: number) => Array.from({ length: 20 }, seeded(seed));
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
    expect(drawn(7).every((value) => value >= 0 && value < 1)).toBe(true);
  });
});
