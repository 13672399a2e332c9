import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/repository/languages/language.ts';
import { languageOf } from '../../src/repository/languages/languages.ts';
import { scanDefinitions } from '../../src/repository/outline/scan-definitions.ts';
import { numbered, readerOf } from './trees.ts';

const python = `import os

LIMIT = 3

@decorated
def first(
    a,
    b,
):
    """def not_this(): pass"""
    return {
        'x': 1,
    }


class Second(Base):
    def method(self):
        def inner():
            pass
        return inner

    async def other(self): ...

after = 1
`;

const typescript = `export interface Shape { sides: number }
export type Name = string
export const area = (shape: Shape): number => {
  return shape.sides
}
export async function load(
  options: Options = {},
): Promise<void> {
  if (options) {
    run()
  }
}
export default class Store<T> {
  #items: T[] = []
  get size() {
    return 1
  }
  async add(item: T) {
    this.#items.push(item)
  }
}
`;

describe('an outline', () => {
  test('of Python has its definitions with their lines, decorators inside', async () => {
    const { definitions, by } = await readerOf({ 'a.py': python }).outline('a.py');
    expect(by).toBe('tree-sitter');
    expect(definitions.map(({ name, startLine, endLine, depth }) => [name, startLine, endLine, depth])).toEqual([
      ['first', 5, 13, 0],
      ['Second', 16, 22, 0],
      ['method', 17, 20, 1],
      ['inner', 18, 19, 2],
      ['other', 22, 22, 1],
    ]);
  });

  test('of TypeScript has its definitions with their lines', async () => {
    const { definitions } = await readerOf({ 'a.ts': typescript }).outline('a.ts');
    expect(definitions.map(({ name, kind, startLine, endLine }) => [name, kind, startLine, endLine])).toEqual([
      ['Shape', 'interface', 1, 1],
      ['Name', 'type', 2, 2],
      ['area', 'function', 3, 5],
      ['load', 'function', 6, 12],
      ['Store', 'class', 13, 21],
      ['size', 'method', 15, 17],
      ['add', 'method', 18, 20],
    ]);
  });

  test('of a file too large for the parser is made by the scanner', async () => {
    const { definitions, by } = await readerOf({
      'big.py': numbered(60_000, (n) => `def f${n}():\n    return ${n}`),
    }).outline('big.py');
    expect(by).toBe('scanner');
    expect(definitions[1]).toMatchObject({ name: 'f2', startLine: 3, endLine: 4 });
  });

  test('of an unknown language says that there is none', async () => {
    expect(await readerOf({ 'a.unknown': 'x\n' }).outline('a.unknown')).toMatchObject({ by: 'none', definitions: [] });
  });

  test('of broken code gives what it can', async () => {
    const { definitions } = await readerOf({ 'a.py': 'def ok():\n    pass\n\ndef broken(:\n\nclass' }).outline('a.py');
    expect(definitions.map(({ name }) => name)).toContain('ok');
  });
});

describe('the scanner', () => {
  const scan = (text: string, path: string) => scanDefinitions(text, languageOf(path) as Language);

  test('sees the same functions and classes in Python', () => {
    const found = scan(python, 'a.py').filter(({ kind }) => kind !== 'variable');
    expect(found.map(({ name, startLine, endLine }) => [name, startLine, endLine])).toEqual([
      ['first', 6, 13],
      ['Second', 16, 22],
      ['method', 17, 20],
      ['inner', 18, 19],
      ['other', 22, 22],
    ]);
  });

  test('sees the same functions and classes in TypeScript', () => {
    const found = scan(typescript, 'a.ts');
    expect(found.map(({ name, startLine, endLine }) => [name, startLine, endLine])).toEqual([
      ['Shape', 1, 1],
      ['Name', 2, 2],
      ['area', 3, 5],
      ['load', 6, 12],
      ['Store', 13, 21],
      ['size', 15, 17],
      ['add', 18, 20],
    ]);
  });
});
