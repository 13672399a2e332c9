import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CheckoutReader } from '../../src/repository/checkout-reader.ts';
import { makeTree, numbered, readerOf } from './trees.ts';

const project = {
  'tests/test_core.py': 'from core import find_root\n\ndef test_it():\n    find_root()\n',
  'docs/usage.md': 'Call `find_root`.\n',
  'src/aaa.py': '# find_root is explained elsewhere\n',
  'src/caller.py': 'import core\nvalue = core.find_root(1)\n',
  'src/core.py': `${numbered(40, (n) => `x${n} = ${n}`)}def FIND_ROOT(x):\n    return x\n${numbered(40, (n) => `y${n} = ${n}`)}`,
};

/** Lines that an answer marks, and those that it says it left out. */
function accountedFor(text: string): number {
  const sum = (pattern: RegExp): number =>
    [...text.matchAll(pattern)].reduce((all, [, count]) => all + Number(count), 0);
  const marked = text.split('\n').filter((line) => /^>\d+\t/.test(line)).length;
  const gaps = sum(/^ {2}… (\d+) matching lines? not shown/gm);
  const elsewhere = text.slice(text.indexOf('\nAlso in') + 1 || text.length);
  return (
    marked +
    gaps +
    [...elsewhere.matchAll(/\((\d+)\)$|files? with (\d+) matching/gm)].reduce(
      (all, [, a, b]) => all + Number(a ?? b),
      0,
    )
  );
}

describe('searching the repository', () => {
  test('finds text whatever its case, definitions before code before comments before tests', async () => {
    const { text, files, matches } = await readerOf(project).search('find_root');
    expect([files, matches]).toEqual([5, 6]);
    const places = ['src/core.py (', 'src/caller.py (', 'src/aaa.py (', 'tests/test_core.py ('].map((name) =>
      text.indexOf(name),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
  });

  test('shows windows of 20 lines with the match marked', async () => {
    const { text } = await readerOf(project).search('def find_root');
    expect(text).toContain('>41\tdef FIND_ROOT(x):');
    expect(text.split('\n').filter((line) => /^[> ]\d+\t/.test(line))).toHaveLength(20);
  });

  test('marks every line that it counts, or names it as not shown', async () => {
    const spread = numbered(900, (n) => (n % 50 === 0 ? `value = Needle_${n}(needle)` : `x${n} = ${n}`));
    const reader = readerOf({ 'a.py': spread, 'b.py': spread, 'c.md': `${'needle '.repeat(3)}\nneedle\n` });
    for (const options of [{}, { path: 'a.py' }, { path: 'c.md' }]) {
      const { text, matches } = await reader.search('needle', options);
      expect(accountedFor(text)).toBe(matches);
      const printed = text.split('\n').filter((line) => /^[> ]\d+\t/.test(line) && /needle/i.test(line));
      expect(printed.filter((line) => !line.startsWith('>'))).toEqual([]);
    }
    const { text } = await reader.search('needle', { path: 'a.py' });
    expect(text).toContain('18 matching lines in 1 file; 15 shown');
    expect(text.trimEnd()).toMatch(/… 3 matching lines not shown: 800, 850, 900$/);
  });

  test('shows a short definition whole, and no call cut in two', async () => {
    const definition = numbered(36, (n) =>
      n === 1 ? '@cached\ndef short():' : n === 30 ? '    needle()' : `    x${n} = ${n}`,
    );
    const call = `values = call(\n${numbered(14, (n) => `    a${n}=${n},`)}    needle=1,\n${numbered(14, (n) => `    b${n}=${n},`)})\n`;
    const blank = numbered(30, (n) => `y${n} = ${n}`);
    const { text } = await readerOf({ 'a.py': blank + definition + blank + call + blank }).search('needle');
    for (const whole of ['@cached', 'x36 = 36', 'values = call(', 'b14=14,', '\t)']) expect(text).toContain(whole);
    expect(text).not.toContain('y20 = 20');
  });

  test('puts a line in the case that was asked for before others of its kind', async () => {
    const reader = readerOf({ 'a.py': 'x = PARSE_BODY\n', 'b.py': 'x = parse_body\n' });
    const { text } = await reader.search('parse_body');
    expect(text.indexOf('b.py (')).toBeLessThan(text.indexOf('a.py ('));
  });

  test('takes the text as it is, not as a pattern', async () => {
    const reader = readerOf({ 'a.py': 'x = [1].*(2)\ny = 112\n' });
    expect((await reader.search('[1].*(2)')).matches).toBe(1);
    expect((await reader.search('-e')).matches).toBe(0);
  });

  test('can be kept to a folder or a file', async () => {
    expect((await readerOf(project).search('find_root', { path: 'src' })).files).toBe(3);
    expect((await readerOf(project).search('find_root', { path: 'src/core.py' })).files).toBe(1);
    expect((await readerOf(project).search('find_root', { path: 'nowhere/at/all' })).text).toContain(
      'There is no nowhere/at/all',
    );
  });

  test('finds words of other scripts', async () => {
    expect((await readerOf({ 'a.py': '# ÄPFEL und 사과\n' }).search('äpfel UND 사과')).matches).toBe(1);
  });

  test('of several lines uses the first, and of nothing says so', async () => {
    expect((await readerOf(project).search('\nfind_root\nvalue')).text).toContain('Only the first line');
    for (const nothing of ['  \n', 'a\0b']) {
      expect((await readerOf(project).search(nothing)).text).toContain('Nothing to search for');
    }
  });

  test('without a match says so', async () => {
    expect((await readerOf(project).search('no such thing')).text).toContain('0 matching lines in 0 files');
  });

  test('stays within bounds when everything matches', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 600 }, (_, i) => [`src/m${i}.py`, numbered(200, () => 'self.value = self.other')]),
    );
    const { text, files: count, matches, shownFiles } = await readerOf(files).search('self');
    expect([count, matches]).toEqual([600, 120_000]);
    expect(shownFiles).toBeLessThanOrEqual(8);
    expect(text.length).toBeLessThan(40_000);
    expect(text).toMatch(/… \+\d+ more files with \d+ matching lines/);
    expect(accountedFor(text)).toBe(120_000);
  });

  test('stays within bounds on one line of 7 megabytes', async () => {
    const { text, matches } = await readerOf({
      'min.js': `${'x'.repeat(3_500_000)}needle${'y'.repeat(3_500_000)}`,
    }).search('needle');
    expect(matches).toBe(1);
    expect(text).toContain('needle');
    expect(text.length).toBeLessThan(2000);
  });

  test('passes over 40 megabytes on one line and binary files', async () => {
    const reader = readerOf({
      'huge.js': Buffer.alloc(40 * 1024 * 1024, 'needle '),
      'a.bin': Buffer.from('\0needle'),
      'a.py': 'needle\n',
    });
    expect(await reader.search('needle')).toMatchObject({ files: 1, matches: 1 });
  });

  test('never looks through a link or into git', async () => {
    const outside = makeTree({ 'secret.py': 'needle\n' });
    const tree = makeTree({
      '.git/config': 'needle\n',
      'a.py': 'x\n',
      '.hidden/b.py': 'needle\n',
      '.gitignore': 'ignored/\n',
      'ignored/c.py': 'needle\n',
    });
    fs.symlinkSync(outside, path.join(tree, 'linked'));
    const { text, files } = await new CheckoutReader(tree).search('needle');
    expect(files).toBe(2);
    expect(text).not.toContain('secret');
  });

  test('finds files whose names hold line ends', async () => {
    const { text, files } = await readerOf({ 'odd\nname.py': 'needle\n' }).search('needle');
    expect(files).toBe(1);
    expect(text).toContain('"odd\\nname.py"');
  });
});
