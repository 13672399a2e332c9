import { describe, expect, it } from 'vitest';
import { judgeProof } from '../../src/pipeline/judge-proof.ts';
import type { ObservedRun } from '../../src/pipeline/prove.ts';

const environment = { image: 'i', prepared: false, sources: [], log: '' };
const run = (
  what: ObservedRun['what'],
  on: ObservedRun['on'],
  exitCode: number | null,
  more: Partial<ObservedRun> = {},
): ObservedRun => ({
  what,
  on,
  command: 'c',
  exitCode,
  seconds: 1,
  failing: [],
  tail: '',
  reason: 'assertion',
  ...more,
});

const regression = (before: number | null, after: number | null, reason: ObservedRun['reason'] = 'assertion') => [
  run('regression', 'base', before, { reason }),
  run('regression', 'base+patch', after),
];
const verdict = (runs: ObservedRun[], hasTest = true) => judgeProof({ image: 'i', runs, environment, hasTest }).verdict;

describe('what the runs prove', () => {
  it('a test that fails before and passes after, with a suite that still passes, is a proof', () => {
    const suite = [run('suite', 'base', 0), run('suite', 'base+patch', 0)];
    expect(verdict([...regression(1, 0), ...suite])).toBe('proven');
  });

  it('a test that passes on the base commit shows no fault', () => {
    expect(verdict(regression(0, 0))).toBe('not-reproduced');
  });

  it('a test that could not even be loaded on base is no proof', () => {
    expect(verdict(regression(1, 0, 'broken'))).toBe('not-reproduced');
  });

  it('a command that fails without showing a failing test is no proof, whatever it looks for', () => {
    expect(verdict(regression(1, 0, 'unknown'))).toBe('not-reproduced');
  });

  it('a test that never ends on base is no proof', () => {
    expect(verdict(regression(null, 0))).toBe('not-reproduced');
  });

  it('a test that still fails means that the fault is still there', () => {
    expect(verdict(regression(1, 1))).toBe('not-fixed');
  });

  it('a command that runs no test at all passes, and proves nothing', () => {
    const after = run('regression', 'base+patch', 0, { counts: { passed: 0, failed: 0, skipped: 0 } });
    expect(verdict([run('regression', 'base', 1), after])).toBe('not-fixed');
  });

  it('without a regression test there is no proof', () => {
    expect(verdict([run('suite', 'base', 0), run('suite', 'base+patch', 0)], false)).toBe('no-test');
  });

  it('a suite that failed before is not blamed on the change, and is named', () => {
    const suite = [run('suite', 'base', 1, { failing: ['a'] }), run('suite', 'base+patch', 1, { failing: ['a'] })];
    const proof = judgeProof({ image: 'i', runs: [...regression(1, 0), ...suite], environment, hasTest: true });
    expect(proof.verdict).toBe('proven');
    expect(proof.doesNotShow.join(' ')).toContain('already fail on base');
  });

  it('a test that fails only with the change withholds the proof and is named', () => {
    const suite = [run('suite', 'base', 1, { failing: ['a'] }), run('suite', 'base+patch', 1, { failing: ['a', 'b'] })];
    const proof = judgeProof({ image: 'i', runs: [...regression(1, 0), ...suite], environment, hasTest: true });
    expect(proof).toMatchObject({ verdict: 'suite-worse', reason: 'Tests that fail only with the change: b.' });
  });

  it.each([
    ['no longer ends', { exitCode: null }],
    ['can no longer be loaded', { reason: 'broken' as const }],
    ['passes fewer tests', { counts: { passed: 3, failed: 0, skipped: 0 } }],
  ])('a failing suite that %s with the change withholds the proof, though it names no test', (_name, after) => {
    const before = run('suite', 'base', 1, { failing: ['a'], counts: { passed: 9, failed: 1, skipped: 0 } });
    const counts = { passed: 9, failed: 1, skipped: 0 };
    expect(verdict([...regression(1, 0), before, run('suite', 'base+patch', 1, { counts, ...after })])).toBe(
      'suite-worse',
    );
  });

  it('says when the suite was not run at all', () => {
    const proof = judgeProof({ image: 'i', runs: regression(1, 0), environment, hasTest: true });
    expect(proof.doesNotShow.join(' ')).toContain('were not run');
  });
});
