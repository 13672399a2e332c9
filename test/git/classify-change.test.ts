import { expect, test } from 'vitest';
import { classifyChange, isCacheFolder } from '#src/git/classify-change.ts';

const NEW: [path: string, kind: string][] = [
  ['src/money.py', 'source'],
  ['setup.py', 'source'],
  ['README.md', 'source'],
  ['src/check.py', 'source'],
  ['src/debug/trace.ts', 'source'],
  ['src/core', 'scratch'],
  ['docs/issue.md', 'source'],
  ['tests/test_money.py', 'test'],
  ['src/money.test.ts', 'test'],
  ['src/money_test.go', 'test'],
  ['pkg/MoneyTest.java', 'test'],
  ['spec/models/money_spec.rb', 'test'],
  ['tests/data/server.log', 'test'],
  ['tests/fixtures/change.patch', 'test'],
  ['tests/repro_42.py', 'test'],
  ['conftest.py', 'scratch'],
  ['test_money.py', 'scratch'],
  ['repro.py', 'scratch'],
  ['src/reproduce-42.ts', 'scratch'],
  ['debug_parser.py', 'scratch'],
  ['FIX_SUMMARY.md', 'scratch'],
  ['output.txt', 'scratch'],
  ['server.log', 'scratch'],
  ['change.patch', 'scratch'],
  ['src/money.py.orig', 'scratch'],
  ['src/money.py.rej', 'scratch'],
  ['src/money.py~', 'scratch'],
  ['src/.money.py.swp', 'scratch'],
  ['tests/__pycache__/test_money.cpython-312.pyc', 'scratch'],
  ['.pytest_cache/v/cache/lastfailed', 'scratch'],
  ['money.egg-info/PKG-INFO', 'scratch'],
  ['node_modules/left-pad/index.js', 'scratch'],
  ['.coverage', 'scratch'],
  ['nohup.out', 'scratch'],
];

test.each(NEW)('a new file %s is %s', (path, kind) => {
  expect(classifyChange({ path, isNew: true, testsInRoot: false, referenced: false })).toBe(kind);
});

test.each(NEW)('%s is never scratch when base has it already', (path) => {
  expect(classifyChange({ path, isNew: false, testsInRoot: false, referenced: false })).not.toBe('scratch');
});

test('a script in the root that another changed file names is part of the change', () => {
  expect(classifyChange({ path: 'check.py', isNew: true, testsInRoot: false, referenced: true })).toBe('source');
});

test('a cache stays scratch even when something names it', () => {
  expect(classifyChange({ path: 'a/x.pyc', isNew: true, testsInRoot: false, referenced: true })).toBe('scratch');
});

test('a new test in the root counts where the repository keeps its tests there', () => {
  expect(classifyChange({ path: 'test_b.py', isNew: true, testsInRoot: true, referenced: false })).toBe('test');
});

test('folders that tools fill are known by name', () => {
  expect(['a/node_modules', '__pycache__', 'src', 'tests'].map(isCacheFolder)).toEqual([true, true, false, false]);
});
