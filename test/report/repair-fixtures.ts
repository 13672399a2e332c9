import type { Resolution } from '../../src/domain/patch.ts';
import type { Proof } from '../../src/domain/proof.ts';
import { base } from './fixtures.ts';

export const resolution: Resolution = {
  end: 'submitted',
  recovered: false,
  report: {
    summary:
      'Quoted words keep their last character.\n\n- `split_arguments` slices up to the closing quote.\n- A test covers one and two quoted words.',
    cause: 'The slice of a quoted word ended one character early, because `end` already excludes the quote.',
    regressionTest: 'python3 -m unittest tests.test_split',
    testFiles: ['tests/test_split.py'],
    notChecked: 'Escaped quotes inside quotes.',
  },
  patch: {
    base,
    diff: Buffer.from(
      'diff --git a/src/widget/split.py b/src/widget/split.py\n@@ -44 +44 @@\n-    word = line[start:end - 1]\n+    word = line[start:end]\n',
    ).toString('base64'),
    files: [
      {
        path: 'src/widget/split.py',
        status: 'modified',
        kind: 'source',
        added: 1,
        removed: 1,
        binary: false,
        mode: '100644',
      },
      {
        path: 'tests/test_split.py',
        status: 'added',
        kind: 'test',
        added: 14,
        removed: 0,
        binary: false,
        mode: '100644',
      },
    ],
    left: [
      { path: 'reproduce.py', status: 'added', kind: 'scratch', added: 5, removed: 0, binary: false, mode: '100644' },
      {
        path: '.github/workflows/ci.yml',
        status: 'modified',
        kind: 'protected',
        added: 1,
        removed: 1,
        binary: false,
        mode: '100644',
      },
    ],
    notes: [],
  },
};

const failed = `F
======================================================================
FAIL: test_quotes (tests.test_split.Split.test_quotes)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repo/tests/test_split.py", line 8, in test_quotes
    self.assertEqual(split_arguments('"a b"'), ['a b'])
AssertionError: Lists differ: ['a '] != ['a b']

----------------------------------------------------------------------
Ran 2 tests in 0.001s

FAILED (failures=1)
`;

export const proof: Proof = {
  verdict: 'proven',
  reason: 'The regression test fails on the base commit and passes with the change.',
  image: 'sha256:4f2c8e1d',
  repeat:
    'docker run --rm --network none -v "$PWD:/repo" -w /repo sha256:4f2c8e1d python3 -m unittest tests.test_split',
  doesNotShow: ['The regression test was written by the agent that wrote the change.'],
  runs: [
    {
      what: 'regression',
      on: 'base',
      command: 'python3 -m unittest tests.test_split',
      exitCode: 1,
      seconds: 0.42,
      counts: { passed: 1, failed: 1, skipped: 0 },
      failing: ['test_quotes (tests.test_split.Split.test_quotes)'],
      tail: failed,
    },
    {
      what: 'regression',
      on: 'base+patch',
      command: 'python3 -m unittest tests.test_split',
      exitCode: 0,
      seconds: 0.4,
      counts: { passed: 2, failed: 0, skipped: 0 },
      failing: [],
      tail: '..\nRan 2 tests in 0.001s\n\nOK\n',
    },
    {
      what: 'suite',
      on: 'base',
      command: 'python3 -m unittest discover',
      exitCode: 0,
      seconds: 61.2,
      counts: { passed: 118, failed: 0, skipped: 2 },
      failing: [],
      tail: 'Ran 120 tests in 60.9s\n\nOK (skipped=2)\n',
    },
    {
      what: 'suite',
      on: 'base+patch',
      command: 'python3 -m unittest discover',
      exitCode: 0,
      seconds: 60.8,
      counts: { passed: 120, failed: 0, skipped: 2 },
      failing: [],
      tail: 'Ran 122 tests in 60.5s\n\nOK (skipped=2)\n',
    },
  ],
};
