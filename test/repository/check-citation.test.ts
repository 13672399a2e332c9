import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CheckoutReader } from '../../src/repository/checkout-reader.ts';
import { makeTree, numbered, readerOf } from './trees.ts';

const code = `import os

class Tree:
    def grow(self):
        return 1

    def fall(self):
        return os.name


class Bush:
    def grow(self):
        return 2
`;
const project = {
  'src/plants.py': code,
  'src/empty.py': '',
  'data.bin': Buffer.from([0, 1]),
  'src/other.py': 'x = 1\n',
};
const cite = (path: string, startLine: number, endLine: number, symbol?: string) =>
  ({ kind: 'repository', path, startLine, endLine, ...(symbol === undefined ? {} : { symbol }) }) as const;

describe('a citation of the repository', () => {
  test.each([
    ['whose symbol stands in its lines', cite('src/plants.py', 4, 5, 'grow')],
    ['whose symbol is written with its class', cite('src/plants.py', 7, 8, 'Tree.fall()')],
    ['of lines inside the definition it names', cite('src/plants.py', 8, 8, 'fall')],
    ['without a symbol', cite('src/plants.py', 1, 13)],
  ])('%s is confirmed', async (_, citation) => {
    expect(await readerOf(project).checkCitation(citation)).toEqual({ citation, verdict: 'confirmed' });
  });

  test.each([
    ['whose symbol is defined elsewhere', cite('src/plants.py', 1, 2, 'fall'), { startLine: 7, endLine: 8 }],
    [
      'whose symbol has a namesake in another class',
      cite('src/plants.py', 1, 2, 'Bush.grow'),
      { startLine: 12, endLine: 13 },
    ],
    ['that runs over the end of the file', cite('src/plants.py', 11, 99), { startLine: 11, endLine: 13 }],
    ['with the path of another checkout', cite('/testbed/src/plants.py', 4, 5, 'grow'), { path: 'src/plants.py' }],
    ['with the path in the wrong case', cite('src/Plants.py', 4, 5, 'grow'), { path: 'src/plants.py' }],
  ])('%s is corrected with a note', async (_, citation, corrected) => {
    const checked = await readerOf(project).checkCitation(citation);
    expect(checked.verdict).toBe('corrected');
    expect(checked.note).toBeTruthy();
    expect(checked.citation).toMatchObject(corrected);
  });

  test.each([
    ['of a file that is not there', cite('lib/animals.py', 1, 2), 'there is no file lib/animals.py'],
    [
      'of a symbol that the file does not hold',
      cite('src/plants.py', 1, 9, 'Flower'),
      '`Flower` does not occur in src/plants.py',
    ],
    ['of part of a name', cite('src/plants.py', 1, 9, 'gro'), '`gro` does not occur in src/plants.py'],
    ['of lines after the end', cite('src/plants.py', 50, 60), 'src/plants.py has only 13 lines'],
    ['of lines the wrong way round', cite('src/plants.py', 9, 3), 'lines 9-3 are no range'],
    ['of a folder', cite('src', 1, 2), 'src is a folder'],
    ['of an empty file', cite('src/empty.py', 1, 1), 'src/empty.py is an empty file'],
    ['of a binary file', cite('data.bin', 1, 1), 'data.bin is a binary file of 2 bytes'],
  ])('%s is struck with a note', async (_, citation, note) => {
    expect(await readerOf(project).checkCitation(citation)).toEqual({ citation, verdict: 'struck', note });
  });

  test('through a link out of the tree is struck', async () => {
    const outside = makeTree({ 'secret.py': 'token = 1\n' });
    const tree = makeTree(project);
    fs.symlinkSync(path.join(outside, 'secret.py'), path.join(tree, 'secret.py'));
    fs.symlinkSync(outside, path.join(tree, 'linked'));
    const reader = new CheckoutReader(tree);
    expect(await reader.checkCitation(cite('secret.py', 1, 1))).toMatchObject({
      verdict: 'struck',
      note: 'secret.py is a symbolic link',
    });
    expect(await reader.checkCitation(cite('linked/secret.py', 1, 1))).toMatchObject({ verdict: 'struck' });
    expect(await reader.checkCitation(cite(`${outside}/secret.py`, 1, 1))).toMatchObject({ verdict: 'struck' });
  });

  test('of a file too large to read is struck', async () => {
    const reader = readerOf({ 'big.py': Buffer.alloc(9 * 1024 * 1024, 'x\n') });
    expect(await reader.checkCitation(cite('big.py', 1, 1))).toMatchObject({
      verdict: 'struck',
      note: 'big.py is too large to be read (9.0 MB)',
    });
  });

  test('of a generated file with 100,000 lines finds its symbol', async () => {
    const reader = readerOf({ 'gen.py': numbered(100_000, (n) => `def f${n}(): return ${n}`) });
    expect((await reader.checkCitation(cite('gen.py', 1, 1, 'f99999'))).citation).toMatchObject({
      startLine: 99_999,
      endLine: 99_999,
    });
  });
});

test('citations that nothing here can check stay unchecked', async () => {
  const reader = readerOf(project);
  for (const citation of [
    { kind: 'standard', name: 'RFC 3986' },
    { kind: 'dependency', package: 'numpy' },
    { kind: 'observation', command: 'ls', output: 'src' },
  ] as const) {
    expect(await reader.checkCitation(citation)).toEqual({ citation, verdict: 'unchecked' });
  }
});

describe('a location', () => {
  test('is confirmed, corrected or struck as a citation is', () => {
    const reader = readerOf(project);
    expect(reader.checkLocation({ path: 'src/plants.py', startLine: 3, endLine: 5 }).verdict).toBe('confirmed');
    expect(reader.checkLocation({ path: 'plants.py', startLine: 3, endLine: 50 })).toMatchObject({
      verdict: 'corrected',
      location: { path: 'src/plants.py', startLine: 3, endLine: 13 },
    });
    expect(reader.checkLocation({ path: 'no/such/file.py', startLine: 1, endLine: 1 }).verdict).toBe('struck');
  });
});
