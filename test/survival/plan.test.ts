import { describe, expect, it } from 'vitest';
import { quantileOf, tableOf } from '../../scripts/survival/figures.ts';
import { killPoints, nameOf, planRuns } from '../../scripts/survival/kill-points.ts';
import { readOptions } from '../../scripts/survival/options.ts';
import { addTallies, isClean, tallyLine } from '../../scripts/survival/tally.ts';

describe('the plan of the survival test', () => {
  it('kills each of eight stages at start, middle and end, in thirty runs', () => {
    expect(killPoints).toHaveLength(24);
    for (const databases of [['embedded', 'postgres'], ['embedded']] as const) {
      const plan = planRuns([...databases], 3);
      const all = [...plan.embedded, ...plan.postgres];
      expect(all).toHaveLength(30);
      expect(new Set(all.filter(({ kind }) => kind === 'kill').map(nameOf)).size).toBe(24);
    }
  });

  it('kills every stage on both databases, and changes their places with the next seed', () => {
    const killed = (seed: number, kind: 'embedded' | 'postgres') =>
      planRuns(['embedded', 'postgres'], seed)[kind].filter((one) => one.kind === 'kill');
    for (const kind of ['embedded', 'postgres'] as const) {
      expect(new Set(killed(1, kind).map(({ point }) => point.stage)).size).toBe(8);
    }
    expect(killed(1, 'embedded')).toEqual(killed(2, 'postgres'));
  });
});

describe('the options of the survival test', () => {
  it('default to everything on both databases', () => {
    expect(readOptions([])).toEqual({
      databases: ['embedded', 'postgres'],
      parts: ['kills', 'queue', 'stops', 'flat'],
      seed: 1,
      json: undefined,
    });
  });

  it('name what they do not know', () => {
    expect(() => readOptions(['--only', 'kills,naps'])).toThrow('naps');
    expect(() => readOptions(['--database', 'oracle'])).toThrow('oracle');
    expect(() => readOptions(['--seed', 'x'])).toThrow('whole number');
  });
});

describe('what the survival test sums up', () => {
  it('is clean only where all three are 0', () => {
    const sum = addTallies({ lost: 0, doubled: 1, rerun: 0 }, { lost: 2, doubled: 0, rerun: 3 });
    expect(tallyLine(sum)).toBe('lost 2, doubled 1, re-run 3');
    expect(isClean(sum)).toBe(false);
    expect(isClean(addTallies())).toBe(true);
  });

  it('takes the nearest rank, and shows what was not measured as a dash', () => {
    const values = [5, 1, 4, 2, 3];
    expect([0, 0.5, 0.99, 1].map((share) => quantileOf(values, share))).toEqual([1, 3, 5, 5]);
    expect(tableOf([{ database: 'embedded', name: 'nothing', unit: 's', values: [] }])).toMatch(
      /embedded: nothing +0 +- +- +- {2}s/,
    );
  });
});
