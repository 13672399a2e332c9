import { describe, expect, it } from 'vitest';
import type { ChangedFile } from '../../src/domain/patch.ts';
import type { Proof } from '../../src/domain/proof.ts';
import type { Attempt } from '../../src/pipeline/attempts.ts';
import { selectAttempt } from '../../src/pipeline/select-attempt.ts';

const file = (path: string, kind: ChangedFile['kind']): ChangedFile => ({
  path,
  status: 'modified',
  kind,
  added: 1,
  removed: 1,
  binary: false,
});

function attempt(lines: string, verdict: Proof['verdict'] = 'proven', broken: string[] = []): Attempt {
  const diff = `diff --git a/sum.py b/sum.py\n--- a/sum.py\n+++ b/sum.py\n@@ -1 +1 @@\n${lines}\ndiff --git a/test_sum.py b/test_sum.py\n+++ b/test_sum.py\n+${Math.random()}\n`;
  const files = lines === '' ? [] : [file('sum.py', 'source'), file('test_sum.py', 'test')];
  const patch = { base: 'b', diff: Buffer.from(diff).toString('base64'), files, left: [], notes: [] };
  const difference = { broken, flaky: [], mended: [], known: [] };
  return {
    resolution: { patch, end: 'submitted', recovered: false },
    proof: { verdict, reason: '', image: 'i', runs: [], difference, doesNotShow: [] },
  };
}

const A = '-return 1\n+return 2';
const B = '-return 1\n+return 3';

describe('which of several repairs is taken', () => {
  it.each([
    ['the fewest regressions come first', [attempt(A, 'suite-worse', ['t', 'u']), attempt(B, 'no-test')], 1],
    ['a suite that is worse without a name counts as one', [attempt(A, 'suite-worse'), attempt(B, 'no-test')], 1],
    ['then what was reproduced', [attempt(A, 'not-reproduced'), attempt(A, 'no-test'), attempt(B)], 2],
    ['then what most attempts did', [attempt(B), attempt(A), attempt(A)], 1],
    [
      'white space, comments and tests make no other change',
      [attempt(B), attempt(A), attempt(`${A.replace('return 2', 'return  2')}\n+# why`)],
      1,
    ],
    ['then the earliest', [attempt(A), attempt(B)], 0],
    ['an empty change is never taken before another', [attempt(''), attempt(B, 'not-fixed')], 1],
  ])('%s', (_rule, attempts, index) => {
    expect(selectAttempt(attempts)?.index).toBe(index);
  });

  it('says what decided, and nothing where nothing was changed', () => {
    expect(selectAttempt([attempt(A, 'no-test'), attempt(B)])?.because).toBe(
      'its test fails without the change and passes with it',
    );
    expect(selectAttempt([attempt(''), attempt(B)])?.because).toBe('it is the only one that changes anything');
    expect(selectAttempt([attempt(''), attempt('')])).toBeUndefined();
  });
});
