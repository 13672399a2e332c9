import { describe, expect, it } from 'vitest';
import { judgeProof } from '../../src/pipeline/judge-proof.ts';
import type { ObservedRun } from '../../src/pipeline/run-check.ts';

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
  failure: { reason: 'assertion', reported: false },
  ...more,
});

const regression = (
  before: number | null,
  after: number | null,
  reason: ObservedRun['failure']['reason'] = 'assertion',
) => [
  run('regression', 'base', before, { failure: { reason, reported: false, line: 'the line that tells' } }),
  run('regression', 'base+patch', after),
];
const judge = (runs: ObservedRun[], more: Partial<Parameters<typeof judgeProof>[0]> = {}) =>
  judgeProof({ image: 'i', runs, reruns: [], environment, hasTest: true, ...more });
const verdict = (runs: ObservedRun[], hasTest = true) => judge(runs, { hasTest }).verdict;

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
    const proof = judge([...regression(1, 0), ...suite]);
    expect(proof.verdict).toBe('proven');
    expect(proof.doesNotShow.join(' ')).toContain('already fail on base');
  });

  it('a test that fails only with the change withholds the proof and is named', () => {
    const suite = [run('suite', 'base', 1, { failing: ['a'] }), run('suite', 'base+patch', 1, { failing: ['a', 'b'] })];
    const proof = judge([...regression(1, 0), ...suite]);
    expect(proof).toMatchObject({ verdict: 'suite-worse', reason: 'Tests that fail only with the change: b.' });
  });

  it.each([
    ['no longer ends', { exitCode: null }],
    ['can no longer be loaded', { failure: { reason: 'broken' as const, reported: false } }],
    ['passes fewer tests', { counts: { passed: 3, failed: 0, skipped: 0 } }],
  ])('a failing suite that %s with the change withholds the proof, though it names no test', (_name, after) => {
    const before = run('suite', 'base', 1, { failing: ['a'], counts: { passed: 9, failed: 1, skipped: 0 } });
    const counts = { passed: 9, failed: 1, skipped: 0 };
    expect(verdict([...regression(1, 0), before, run('suite', 'base+patch', 1, { counts, ...after })])).toBe(
      'suite-worse',
    );
  });

  it('says when the suite was not run at all', () => {
    const proof = judge(regression(1, 0));
    expect(proof.doesNotShow.join(' ')).toContain('were not run');
  });

  it('a test that only uses what the change brings is no proof, and one without its runner was not run', () => {
    expect(verdict(regression(1, 0, 'absent'))).toBe('not-reproduced');
    expect(judge(regression(127, 0, 'no-runner'))).toMatchObject({
      verdict: 'not-run',
      reason: 'The regression test could not be run here: the line that tells',
    });
  });

  it('a test that fails or passes only sometimes is no proof', () => {
    const [before, after] = regression(1, 0);
    if (!before || !after) throw new Error('no runs');
    expect(verdict([{ ...before, again: [0] }, after])).toBe('not-reproduced');
    expect(verdict([before, { ...after, again: [1] }])).toBe('not-fixed');
    expect(
      verdict([
        { ...before, again: [1] },
        { ...after, again: [0] },
      ]),
    ).toBe('proven');
  });

  it('an exit code of 0 beside a failing test is not believed', () => {
    const after = run('regression', 'base+patch', 0, { counts: { passed: 1, failed: 1, skipped: 0 } });
    expect(verdict([run('regression', 'base', 1), after])).toBe('not-fixed');
    const suite = [run('suite', 'base', 0), run('suite', 'base+patch', 0, { failing: ['b'] })];
    expect(verdict([...regression(1, 0), ...suite])).toBe('suite-worse');
  });

  it('says that no test was seen to pass, where a command ends well and names none', () => {
    expect(judge(regression(1, 0)).doesNotShow.join(' ')).toContain('names no test that ran');
    const after = run('regression', 'base+patch', 0, { counts: { passed: 1, failed: 0, skipped: 0 } });
    expect(judge([run('regression', 'base', 1), after]).doesNotShow.join(' ')).not.toContain('names no test');
  });

  it('says what an error on base was, where the issue does not name it', () => {
    expect(judge(regression(1, 0, 'error')).doesNotShow.join(' ')).toContain('does not name: the line that tells');
    expect(judge(regression(1, 0)).doesNotShow.join(' ')).not.toContain('does not name');
  });
});

describe('what the repository’s own tests show', () => {
  const counts = (passed: number, failed = 0, skipped = 0) => ({ counts: { passed, failed, skipped } });

  it('a test that failed with the change and passes when run again is called flaky, and not blamed', () => {
    const suite = [
      run('suite', 'base', 0, { ...counts(9), framework: 'pytest' }),
      run('suite', 'base+patch', 1, { ...counts(8, 1), failing: ['t'], framework: 'pytest' }),
    ];
    const reruns = [run('suite', 'base+patch', 0, counts(1))];
    const proof = judge([...regression(1, 0), ...suite], { reruns });
    expect(proof).toMatchObject({ verdict: 'proven', difference: { broken: [], flaky: ['t'] } });
    expect(proof.doesNotShow.join(' ')).toContain('passed when they were run again: t');
    const failsAgain = [run('suite', 'base+patch', 1, { ...counts(0, 1), failing: ['t'] })];
    expect(judge([...regression(1, 0), ...suite], { reruns: failsAgain }).verdict).toBe('suite-worse');
  });

  it('a rerun that ran no test clears nobody', () => {
    const suite = [
      run('suite', 'base', 0, counts(9)),
      run('suite', 'base+patch', 1, { ...counts(8, 1), failing: ['t'] }),
    ];
    const reruns = [run('suite', 'base+patch', 4, counts(0))];
    expect(judge([...regression(1, 0), ...suite], { reruns }).verdict).toBe('suite-worse');
  });

  it.each([
    ['127', { reason: 'no-runner' as const, reported: false, line: 'sh: 1: tap: not found' }],
    ['4', { reason: 'broken' as const, reported: false, line: 'ImportError while loading conftest' }],
  ])('a suite that could not be run at all (exit code %s) is not said to fail on base', (code, failure) => {
    const proof = judge([...regression(1, 0), run('suite', 'base', Number(code), { failure })]);
    expect(proof.verdict).toBe('proven');
    expect(proof.doesNotShow.join(' ')).toContain(`could not be run here, on base or with the change: ${failure.line}`);
    expect(proof.doesNotShow.join(' ')).not.toContain('already fail');
  });

  it.each([
    ['prints its summary in another form', { ...counts(9), framework: 'unittest' }],
    ['prints no summary any more', {}],
    ['runs fewer tests, though all pass', { ...counts(3), framework: 'pytest' }],
    ['skips what ran before', { ...counts(3, 0, 6), framework: 'pytest' }],
    ['fails more tests without naming them', { ...counts(8, 1), framework: 'pytest' }],
  ])('a suite that ends well and %s is worse', (_name, after) => {
    const before = run('suite', 'base', 0, { ...counts(9), framework: 'pytest' });
    expect(verdict([...regression(1, 0), before, run('suite', 'base+patch', 0, after)])).toBe('suite-worse');
  });

  it('tells known failures, mended ones and new ones apart by name', () => {
    const suite = [
      run('suite', 'base', 1, { failing: ['known', 'mended'] }),
      run('suite', 'base+patch', 1, { failing: ['known', 'new'] }),
    ];
    expect(judge([...regression(1, 0), ...suite]).difference).toEqual({
      broken: ['new'],
      flaky: [],
      mended: ['mended'],
      known: ['known'],
    });
  });
});
