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
    expect((await readerOf(project).search('no such thing')).text).toContain('0 matches in 0 files');
  });

  test('stays within bounds when everything matches', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 600 }, (_, i) => [`src/m${i}.py`, numbered(200, () => 'self.value = self.other')]),
    );
    const { text, files: count, matches, shownFiles } = await readerOf(files).search('self');
    expect([count, matches]).toEqual([600, 240_000]);
    expect(shownFiles).toBeLessThanOrEqual(8);
    expect(text.length).toBeLessThan(40_000);
    expect(text).toMatch(/… \+\d+ more files/);
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
