import { describe, expect, it } from 'vitest';
import type { RunEnd } from '#src/domain/ends.ts';
import { parseArms } from '#src/evaluation/arms/arms.ts';
import { html } from '#src/evaluation/page/html.ts';
import { renderPage } from '#src/evaluation/page/render-page.ts';
import { scaleOver } from '#src/evaluation/page/scale.ts';
import { difference, withInterval } from '#src/evaluation/page/values.ts';
import { createPurse } from '#src/evaluation/running/money.ts';
import { pauseAfter, troubleOf } from '#src/evaluation/running/pacing.ts';
import type { Outcome } from '#src/evaluation/scoring/outcome.ts';
import { summarize } from '#src/evaluation/summary/summarize.ts';
import { toCsv } from '#src/evaluation/summary/to-csv.ts';

const nothing = { confirmed: 0, corrected: 0, struck: 0 };
const end: RunEnd = { kind: 'diagnosed' };
const outcome = (instance: string, arm: string, resolved: boolean, usd = 0.1): Outcome => ({
  ...{ instance, repo: 'o/n', arm, run: 'r', end, seconds: 5, secondsByStage: {}, predicted: [], agents: [] },
  spent: { tokens: { input: 1000, cached: 600, output: 100, reasoning: 0 }, usd, calls: 3, unpriced: 0 },
  gold: { files: ['a.py'], chunks: [] },
  ...{ abstained: false, questions: 0, answered: 0, categories: {}, locations: nothing },
  citations: { ...nothing, unchecked: 0 },
  tests: {
    ...{ resolved, how: 'here' },
    failToPass: { passed: Number(resolved), total: 1 },
    passToPass: { passed: 0, total: 0 },
  },
});
const arms = parseArms('findings,none,both', 'resolve');
const results: Record<string, boolean[]> = {
  none: [true, false, false, false, true, false],
  findings: [true, true, true, false, false, false],
  both: [true, true, true, true, true, false],
};
const outcomes = Object.entries(results).flatMap(([arm, all]) =>
  all.map((resolved, index) => outcome(`i-${index}`, arm, resolved)),
);
const input = {
  ...{ scope: 'resolve' as const, standIn: false, arms, skipped: [], left: 0 },
  judgements: [],
  votes: [],
};

describe('a summary', () => {
  const summary = summarize({ ...input, outcomes });

  it('compares every arm with `none`, wherever that stands, and adjusts over all of them', () => {
    expect(summary.comparisons.map(({ control, treatment }) => `${treatment} - ${control}`)).toEqual([
      'findings - none',
      'both - none',
    ]);
    const [findings, both] = summary.comparisons;
    expect(findings).toMatchObject({ gained: ['i-1', 'i-2'], lost: ['i-4'], difference: { n: 6 } });
    expect(findings?.difference.value).toBeCloseTo(1 / 6, 12);
    expect(both?.gained).toHaveLength(3);
    expect(both?.adjusted).toBeGreaterThanOrEqual(both?.mcnemar.p ?? 2);
  });

  it('gives no rate and no metric without an interval', () => {
    for (const arm of summary.arms) {
      for (const estimate of [arm.rate, ...Object.values(arm.metrics)]) {
        expect(estimate).toMatchObject({ low: expect.any(Number), high: expect.any(Number), n: 6 });
      }
    }
    expect(summary.arms[1]?.rate?.value).toBeCloseTo(2 / 6, 12);
  });

  it('is the same each time', () => {
    expect(summarize({ ...input, outcomes })).toEqual(summary);
  });

  it('pairs only what both arms have', () => {
    const some = summarize({
      ...input,
      outcomes: outcomes.filter((one) => one.arm !== 'both' || one.instance === 'i-0'),
    });
    expect(some.comparisons[1]?.difference.n).toBe(1);
  });

  it('knows nothing of an arm that was not run, and of no arm at all', () => {
    expect(summarize({ ...input, outcomes: [] }).comparisons).toEqual([]);
    expect(renderPage({ data: 'd', models: [], summary: summarize({ ...input, outcomes: [] }), runs: [] })).toContain(
      '</html>',
    );
  });
});

describe('the page', () => {
  const summary = summarize({ ...input, outcomes });
  const runs = outcomes.map((one) => ({ outcome: one, trajectories: [], folder: 'runs/x/' }));
  const page = renderPage({ data: 'data', models: ['m'], summary, runs });

  it('loads nothing from anywhere', () => {
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/\bsrc=|@import|url\(|https?:\/\/(?!www\.w3)/);
  });

  it('links every gained and lost instance to both runs', () => {
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${target}"`);
    expect(page).toContain('href="#i-4/none"');
  });

  it('has a table behind every plot', () => {
    expect(page.split('<figure>').length).toBe(page.split('The table behind it').length);
    expect(page.split('<svg ').length).toBeGreaterThan(2);
  });

  it('escapes what it is given, also in attributes, and names what nobody would see', () => {
    const evil = `"><script>'\u0000\u202e\u00ad`;
    expect(html`<a title="${evil}">${evil}</a>`.text).toBe(
      '<a title="&quot;&gt;&lt;script&gt;&#39;�⟨U+202E and 1 more⟩">&quot;&gt;&lt;script&gt;&#39;�⟨U+202E and 1 more⟩</a>',
    );
  });
});

describe('a figure', () => {
  it('is shown with its interval and its number of instances', () => {
    const estimate = { value: 0.5, low: 0.25, high: 0.754, n: 12 };
    expect(withInterval(estimate, 'share')).toBe('50.0 % (25.0 to 75.4; n = 12)');
    expect(difference({ value: -0.05, low: -0.1, high: 0.001, n: 3 }, 'share')).toBe('−5.0 pp (−10.0 to +0.1)');
  });

  it('lies on a scale with round ticks that hold all values', () => {
    const scale = scaleOver([0.13, 0.87], 0, 100);
    expect(scale.ticks).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(scale.at(0.5)).toBe(50);
    for (const values of [[0], [0, 0], [5, 5], [-3, 12000], []]) {
      const other = scaleOver(values, 0, 100);
      for (const value of values) expect(other.at(value)).toBeGreaterThanOrEqual(0);
      for (const value of values) expect(other.at(value)).toBeLessThanOrEqual(100);
    }
  });
});

it('a spreadsheet takes no cell for a formula', () => {
  const csv = toCsv([{ outcome: outcome('=cmd|x', 'a"b,c', true) }]);
  expect(csv.split('\n')[1]).toMatch(/^'=cmd\|x,o\/n,"a""b,c",diagnosed,1,/);
});

describe('the money of an evaluation', () => {
  it('is never passed, and no run gets less than the others', () => {
    const purse = createPurse(10, 1);
    expect([purse.take(4), purse.take(4), purse.take(4)]).toEqual(['taken', 'taken', 'later']);
    purse.settle(4, 0.5);
    expect(purse.take(4)).toBe('taken');
    purse.settle(4, 4);
    purse.settle(4, 4);
    expect(purse.spent()).toBe(9.5);
    expect(purse.take(4)).toBe('never');
  });
});

describe('trouble', () => {
  const failed = (code: string) => ({ kind: 'failed' as const, code, message: '', remedy: '' });

  it('of a provider that does not answer is waited out for about two hours', () => {
    expect(troubleOf(failed('model-unreachable'))).toBe('passing');
    let [waited, troubles] = [0, 0];
    for (let pause = pauseAfter(0); pause !== undefined; pause = pauseAfter(++troubles)) waited += pause;
    expect(waited).toBeGreaterThan(3600);
    expect(waited).toBeLessThan(3 * 3600);
  });

  it('of the disk or the key stops everything, and a run’s own failure nothing', () => {
    expect(troubleOf(failed('disk-enospc'))).toBe('standing');
    expect(troubleOf(failed('model-unauthorized'))).toBe('standing');
    expect(troubleOf(failed('unexpected'))).toBe('own');
  });
});
