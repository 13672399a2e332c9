import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareKept, type Kept, readKept } from '../../scripts/bench/compare.ts';

const kept = (values: Record<string, number[]>, machine = 'one'): Kept => ({
  machine,
  node: '24',
  measured: Object.entries(values).map(([name, values]) => ({ name, unit: 'ms', values })),
});

test('a change is only told where the two ranges lie apart', () => {
  const before = kept({ step: [60, 70, 80], open: [100, 110, 120], gone: [1] });
  const lines = compareKept(before, kept({ step: [75, 85, 95], open: [140, 165, 180], fresh: [2] })).split('\n');
  expect(lines.find((line) => line.startsWith('step'))).toMatch(/70\s+85 {2}ms\s+ranges overlap$/);
  expect(lines.find((line) => line.startsWith('open'))).toMatch(/110\s+165 {2}ms\s+\+50 %$/);
  expect(lines.filter((line) => /gone|fresh|NaN/.test(line))).toEqual([]);
});

test('figures of another machine are marked as such', () => {
  expect(compareKept(kept({ a: [1] }, 'other'), kept({ a: [1] }))).toMatch(/^Other machine: other\n/);
});

test('a file that is none of ours is not taken for one', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'fathom-test-')), 'x.json');
  writeFileSync(file, '{"measured": 3}');
  expect(readKept(file)).toBeUndefined();
});
