import { describe, expect, it } from 'vitest';
import { strayEdits } from '#src/pipeline/stray-edits.ts';
import type { Leads } from '#src/pipeline/unplaced-files.ts';
import { patchBetween } from './support/patch-between.ts';

type Files = Record<string, string>;
const nowhere: Leads = { text: '', paths: [] };

const strayIn = (before: Files, after: Files, leads = nowhere) =>
  strayEdits({ patch: patchBetween(before, after), leads, readBase: async (path) => before[path] });
const kinds = async (path: string, before: string, after: string) =>
  (await strayIn({ [path]: before }, { [path]: after })).map(({ kind, line }) =>
    line === undefined ? kind : `${kind}:${line}`,
  );

const lines = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join('');
const far = (index: number) => `def f${index}(x):\n    return x\n\n\n\n\n\n\n`;

describe('an edit that does not belong to the change is named', () => {
  it.each([
    ['white space at a line’s end', 'a.py', `x = 1 \n${far(1)}y = 2\n`, `x = 1\n${far(1)}y = 3\n`, ['white-space:1']],
    ['the last line’s end', 'a.c', `int x;\n${far(1)}int y;`, `int z;\n${far(1)}int y;\n`, ['white-space:10']],
    ['other line ends all over', 'a.js', lines(9, far), lines(9, far).replaceAll('\n', '\r\n'), ['white-space:1']],
    [
      'a formatter’s quotes',
      'a.js',
      lines(6, (i) => `f('${i}')\n${far(i)}`),
      lines(6, (i) => `f("${i}");\n${far(i)}`),
      ['reformatted'],
    ],
    [
      'indentation of places far apart',
      'a.go',
      lines(5, (i) => `\tx${i}()\n${far(i)}`),
      lines(5, (i) => `  x${i}()\n${far(i)}`),
      ['reformatted'],
    ],
    ['a breakpoint', 'a.py', 'x = 1\n', 'x = 2\nbreakpoint()\n', ['debugging:2']],
    ['a debugger statement', 'a.ts', 'x = 1\n', 'debugger;\nx = 2\n', ['debugging:1']],
    [
      'output where there was none',
      'a.py',
      'def f(x):\n    return x\n',
      'def f(x):\n    print(x)\n    return x + 1\n',
      ['debugging:2'],
    ],
    ['output in JavaScript', 'a.js', 'f();\n', '  console.log(x);\nf(1);\n', ['debugging:1']],
    ['output in Go', 'a.go', 'f()\n', '\tfmt.Println(x)\nf(1)\n', ['debugging:1']],
    ['output in Ruby', 'a.rb', 'f\n', '  puts x\ng\n', ['debugging:1']],
    ['output in Rust', 'a.rs', 'f();\n', '    println!("{x}");\ng();\n', ['debugging:1']],
    [
      'output in a program of output that is marked',
      'a.py',
      'print(1)\n',
      'print(1)\nprint("DEBUG", x)\n',
      ['debugging:2'],
    ],
    ['code that was commented out', 'a.py', 'x = f(1)\n', '# x = f(1)\nx = f(2)\n', ['commented-out:1']],
    ['code in a block comment', 'a.c', '  x = f(1);\n', '  /* x = f(1); */\n  x = f(2);\n', ['commented-out:1']],
    [
      'code that was commented out in SQL',
      'a.sql',
      'select a.b from c;\n',
      '-- select a.b from c;\nselect a.b from d;\n',
      ['commented-out:1'],
    ],
  ])('%s', async (_what, path, before, after, expected) => {
    expect(await kinds(path, before, after)).toEqual(expected);
  });

  it('a source file that nothing leads to', async () => {
    const before = { 'src/quote.js': 'a\n', 'server/billing.js': 'b\n' };
    const after = { 'src/quote.js': 'c\n', 'server/billing.js': 'd\n' };
    const leads = { text: 'Quotes are lost.', paths: ['src/quote.js'] };
    expect(await strayIn(before, after, leads)).toEqual([{ kind: 'unplaced', path: 'server/billing.js' }]);
    expect(await strayIn(before, after, { ...leads, text: 'It also shows in billing.' })).toEqual([]);
    expect(await strayIn(before, { ...after, 'src/quote.js': 'import "../server/billing"\n' }, leads)).toEqual([]);
    expect(await strayIn(before, after)).toEqual([]);
  });
});

describe('an edit that may well belong to the change is left alone', () => {
  it.each([
    [
      'a body that is indented under a new condition',
      'a.py',
      'def f(x):\n    a(x)\n\n    b(x)\n',
      'def f(x):\n    if x:\n        a(x)\n\n        b(x)\n',
    ],
    ['a comma that was missing', 'a.py', 'x = ["a" "b"]\n', 'x = ["a", "b"]\n'],
    ['brackets that were missing', 'a.js', 'x = a + b * c\n', 'x = (a + b) * c\n'],
    ['output of a program that prints', 'cli.py', 'print("a")\n', 'print("a")\nprint("b")\n'],
    ['output of a new program', 'tool.py', '', 'x = 1\n'],
    ['a logger that was there', 'a.js', 'console.log("start");\n', 'console.log("start");\nconsole.log("end");\n'],
    ['a comment in words', 'a.py', 'x = 1\n', '# Twice, since x starts at 1.\nx = 2\n'],
    ['output in documentation', 'README.md', 'x\n', 'print(1)\n'],
    ['a comment that loses its marker', 'a.py', '# x = f(1)\n', 'x = f(1)\n'],
    ['a preprocessor line', 'a.c', '#if A\nx();\n', '#if B\nx();\n'],
    ['an error that is written out', 'a.go', 'f()\n', 'fmt.Fprintln(os.Stderr, err)\n'],
    ['a variable named p', 'a.rb', 'x = 1\n', 'p = 1\n'],
  ])('%s', async (_what, path, before, after) => {
    expect(await kinds(path, before, after)).toEqual([]);
  });

  it('output and breakpoints in tests, and whatever a new file holds but a breakpoint', async () => {
    expect(await strayIn({}, { 'tests/test_a.py': 'print(1)\n', 'src/new.py': 'print(1)\n' })).toEqual([]);
    expect(await strayIn({}, { 'src/new.py': 'breakpoint()\n' })).toMatchObject([{ kind: 'debugging', line: 1 }]);
  });
});

it('is not held up by long and strange lines', async () => {
  const strange = `${'#'.repeat(20_000)}\n${' '.repeat(20_000)}\nprint${'('.repeat(20_000)}\n${'\'" '.repeat(20_000)}\n`;
  const found = await strayIn({ 'a.py': '\n' }, { 'a.py': `${strange.repeat(20)}breakpoint()\n` });
  expect(found.map(({ kind }) => kind)).toEqual(['debugging']);
});
