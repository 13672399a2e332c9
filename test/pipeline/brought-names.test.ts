import { expect, it } from 'vitest';
import { broughtBy } from '#src/pipeline/brought-names.ts';
import { patchBetween } from './support/patch-between.ts';

it.each([
  ['    def add_all(self, xs):', true],
  ['  addAll(xs) {', false],
  ['function add_all(xs) {', true],
  ['    self.add_all = add', true],
  ['  this.add_all = add;', true],
  ['  if (this.add_all === add)', false],
  ['  return sums.add_all(xs)', false],
  ['  $sums->add_all($xs);', false],
  ['def add_all_of(xs):', false],
  ['def readd_all(xs):', false],
])('a change with the line %j brings the name: %j', (line, brings) => {
  const patch = patchBetween({ 'a.py': 'x\n' }, { 'a.py': `x\n${line}\n` });
  expect(broughtBy(patch)('add_all')).toBe(brings);
});

it('what a test defines is no name of the code', () => {
  const patch = patchBetween({}, { 'tests/test_a.py': 'def add_all(xs):\n' });
  expect(broughtBy(patch)('add_all')).toBe(false);
  expect(broughtBy(undefined)('add_all')).toBe(false);
});
