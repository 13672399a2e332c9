import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CheckoutReader } from '../../src/repository/checkout-reader.ts';
import { makeTree, numbered, readerOf } from './trees.ts';

const project = {
  'pkg/__init__.py': '',
  'pkg/core/expressions.py': `import os\nfrom pkg.core import helpers\n${numbered(500, (n) => `x${n} = ${n}`)}`,
  'pkg/core/helpers.py': 'def help():\n    pass\n',
  'pkg/core/__init__.py': '',
  'web/Button.tsx': 'export const Button = 1;\n',
};

describe('the view of a file', () => {
  test('numbers its lines, says which of how many are shown, and names imports and importers', () => {
    const view = readerOf(project).view('pkg/core/expressions.py', { startLine: 3, endLine: 5 });
    expect(view.text).toContain('pkg/core/expressions.py, lines 3-5 of 502');
    expect(view.text).toContain('\n3\tx1 = 1\n4\tx2 = 2\n5\tx3 = 3');
    expect(view.text).toContain('imports: pkg/core/helpers.py');
    expect(view.range).toEqual({ startLine: 3, endLine: 5 });
    expect(readerOf(project).view('pkg/core/helpers.py').text).toContain('imported by: pkg/core/expressions.py');
  });

  test('leaves imports and importers out for files of which they are known', () => {
    const file = 'pkg/core/expressions.py';
    const range = { startLine: 3, endLine: 5 };
    const { text, path: opened } = readerOf(project).view('core/expressions.py', range, { withoutImportsOf: [file] });
    expect(opened).toBe(file);
    expect(text).toContain('\n3\tx1 = 1');
    expect(text).not.toContain('imported by');
    const other = readerOf(project).view(file, range, { withoutImportsOf: ['pkg/core/helpers.py'] });
    expect(other.text).toContain('imports: pkg/core/helpers.py');
  });

  test('shows the first 300 lines when no range is asked for, and says that there is more', () => {
    const view = readerOf(project).view('pkg/core/expressions.py');
    expect(view.range).toEqual({ startLine: 1, endLine: 300 });
    expect(view.text).toContain('lines 301-502 not shown');
  });

  test.each([
    [
      { startLine: 490, endLine: 9999 },
      { startLine: 490, endLine: 502 },
    ],
    [
      { startLine: -5, endLine: 2 },
      { startLine: 1, endLine: 2 },
    ],
    [
      { startLine: 600, endLine: 700 },
      { startLine: 452, endLine: 502 },
    ],
    [
      { startLine: 20, endLine: 10 },
      { startLine: 20, endLine: 70 },
    ],
  ])('asked for %o shows %o', (range, shown) => {
    expect(readerOf(project).view('pkg/core/expressions.py', range).range).toEqual(shown);
  });

  test.each([
    ['./pkg/core/helpers.py', 'pkg/core/helpers.py'],
    ['/testbed/pkg/core/helpers.py', 'pkg/core/helpers.py'],
    ['core/helpers.py', 'pkg/core/helpers.py'],
    ['pkg.core.helpers', 'pkg/core/helpers.py'],
    ['pkg/core/helper.py', 'pkg/core/helpers.py'],
    ['pkg/core/Helpers.py', 'pkg/core/helpers.py'],
    ['pkg\\core\\helpers.py', 'pkg/core/helpers.py'],
    ['web/button.tsx', 'web/Button.tsx'],
    ['`pkg/core/expresions.py`', 'pkg/core/expressions.py'],
    ['pkg/../web/Button.tsx', 'web/Button.tsx'],
  ])('finds what was meant by %s', (asked, path) => {
    expect(readerOf(project).view(asked)).toMatchObject({ kind: 'file', path });
  });

  test('says so when it opened another file than was asked for', () => {
    expect(readerOf(project).view('pkg/core/helper.py').text).toContain(
      'There is no pkg/core/helper.py; this is pkg/core/helpers.py.',
    );
  });

  test('suggests files when more than one may be meant', () => {
    const reader = readerOf({ 'a/utils.py': 'x', 'b/utils.py': 'x', 'c/other.py': 'x' });
    expect(reader.view('utils.py')).toMatchObject({ kind: 'not-found', suggestions: ['a/utils.py', 'b/utils.py'] });
    expect(reader.view('quite/unlike.rb')).toMatchObject({ kind: 'not-found', suggestions: [] });
  });

  test('lists a folder', () => {
    const view = readerOf(project).view('pkg/core');
    expect(view).toMatchObject({ kind: 'directory', path: 'pkg/core/' });
    expect(view.text).toContain('helpers.py 21 bytes');
    expect(readerOf(project).view('').text).toContain('pkg/');
  });
});

describe('a file that cannot be shown as it is', () => {
  test('is never reached through a link, inside or out', () => {
    const outside = makeTree({ 'secret.txt': 'the secret\n', 'folder/secret.py': 'the secret\n' });
    const tree = makeTree({ 'a.py': 'x\n' });
    fs.symlinkSync(path.join(outside, 'secret.txt'), path.join(tree, 'link.txt'));
    fs.symlinkSync(path.join(outside, 'folder'), path.join(tree, 'linked'));
    fs.symlinkSync('a.py', path.join(tree, 'inner.py'));
    fs.symlinkSync('.', path.join(tree, 'loop'));
    const reader = new CheckoutReader(tree);
    for (const asked of ['link.txt', 'inner.py', 'linked'])
      expect(reader.view(asked)).toMatchObject({ kind: 'unreadable' });
    for (const asked of [
      'linked/secret.py',
      'loop/link.txt',
      `${outside}/secret.txt`,
      `../${path.basename(outside)}/secret.txt`,
    ]) {
      expect(reader.view(asked).text).not.toContain('the secret');
    }
    expect(reader.tree().files).toBe(1);
  });

  test.each([
    ['binary', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]), 'a binary file of 7 bytes'],
    ['empty', '', 'an empty file'],
    ['larger than 8 MB', Buffer.alloc(9 * 1024 * 1024, 'x'), 'too large to be read (9.0 MB)'],
  ])('because it is %s says so', (_, content, why) => {
    const view = readerOf({ 'data/file.py': content }).view('data/file.py');
    expect(view.kind).toBe('unreadable');
    expect(view.text).toContain(why);
  });

  test('in another encoding is shown, and said to be', () => {
    const reader = readerOf({
      'latin.py': Buffer.from('# caf\xe9\n', 'latin1'),
      'wide.py': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('# wide\n', 'utf16le')]),
    });
    expect(reader.view('latin.py').text).toContain('not UTF-8\n');
    expect(reader.view('latin.py').text).toContain('1\t# café');
    expect(reader.view('wide.py').text).toContain('1\t# wide');
  });

  test('with a line of five megabytes shows the beginning of that line', () => {
    const view = readerOf({ 'min.js': `a\n${'x'.repeat(5_000_000)}\nb\n` }).view('min.js');
    expect(view.text.length).toBeLessThan(3000);
    expect(view.text).toContain('(+4999400 characters)');
    expect(view.totalLines).toBe(3);
  });

  test('with 100,000 lines stays within bounds', () => {
    const view = readerOf({ 'big.py': numbered(100_000, (n) => `value_${n} = ${n}`) }).view('big.py', {
      startLine: 1,
      endLine: 100_000,
    });
    expect(view.text.length).toBeLessThan(60_000);
    expect(view.text).toContain('of 100000');
  });

  test('with control characters shows none of them', () => {
    const { text } = readerOf({ 'a.py': 'x = "\u001b[2J\u0007"\n' }).view('a.py');
    for (const sign of ['\u001b', '\u0007']) expect(text).not.toContain(sign);
  });
});
