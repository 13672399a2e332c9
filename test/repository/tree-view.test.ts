import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/repository/token-estimate.ts';
import { numbered, readerOf } from './trees.ts';

describe('the tree of a repository', () => {
  test('names source files with their lines, and folds everything else into counts', () => {
    const reader = readerOf({
      'src/app.py': 'a\nb\nc\n',
      'src/deep/only/inner.py': 'a',
      'src/test_app.py': 'x\n',
      'tests/test_all.py': 'x\n',
      'docs/index.md': 'x\n',
      'node_modules/left/index.js': 'x\n',
      'dist/bundle.js': 'x\n',
      'README.md': 'x\n',
    });
    const { text, files, shown } = reader.tree();
    expect([files, shown]).toEqual([2, 2]);
    expect(text).toContain('app.py 3');
    expect(text).toContain('deep/only/ inner.py 1');
    expect(text).toContain('open to search and view: 2 documentation, 2 test, 1 build output, 1 vendored.');
    expect(text).toContain('Tests: src/ 1, tests/ 1.');
    expect(text).not.toContain('index.js');
  });

  test('opens the folders that lead to the files that matter before larger ones', () => {
    const part = (name: string, lines: number) =>
      Array.from({ length: 12 }, (_, at) => [`${name}/a_file_of_${name}_${at}.py`, 'x\n'.repeat(lines)] as const);
    const files = Object.fromEntries([...part('rules', 90), ...part('polys', 80), ...part('printing', 2)]);
    const near = ['printing/a_file_of_printing_3.py'];
    expect(readerOf(files).tree({ maxTokens: 250 }).text).not.toContain('a_file_of_printing_3.py');
    expect(readerOf(files).tree({ maxTokens: 250, near }).text).toContain('a_file_of_printing_3.py');
  });

  test.each([
    ['src/doc/document.ts', 1],
    ['packages/core/lib/examples/run.js', 1],
    ['src/doc/document.md', 0],
    ['docs/conf.py', 0],
    ['examples/src/run.js', 0],
  ])('takes a program for source whatever its folder in the product is called: %s', (path, files) => {
    expect(readerOf({ [path]: 'x\n' }).tree().files).toBe(files);
  });

  test('names folders of tests in one line, and lists none of them', () => {
    const tests = ['tests/static/css/a.css', 'tests/deep/apps/b.py', 'tests/c.py', 'pkg/core/tests/inner/d.py'];
    const more = Array.from({ length: 8 }, (_, i) => `pkg/p${i}/tests/e.py`);
    const { text } = readerOf(Object.fromEntries(['pkg/a.py', ...tests, ...more].map((path) => [path, 'x\n']))).tree();
    expect(text.split('\n').slice(1)).toEqual([
      'Not listed, but open to search and view: 12 test.',
      'Tests: tests/ 3, pkg/core/tests/ 1, pkg/p0/tests/ 1, pkg/p1/tests/ 1, pkg/p2/tests/ 1, 5 more folders 5.',
      'pkg/ a.py 1',
    ]);
  });

  test('lists no translations, no configuration that is a program, and nothing of hidden folders', () => {
    const { text, files } = readerOf({
      'src/a.ts': 'x\n',
      'src/b/c.ts': 'x\n',
      'locale/ar/LC_MESSAGES/messages.js': 'x\n',
      'locale/bg/LC_MESSAGES/messages.js': 'x\n',
      'vitest.config.ts': 'x\n',
      '.devcontainer/create.sh': 'x\n',
    }).tree();
    expect(files).toBe(2);
    expect(text.split('\n').slice(1)).toEqual([
      'Not listed, but open to search and view: 2 configuration, 2 data.',
      'src/',
      ' a.ts 1',
      ' b/ c.ts 1',
    ]);
  });

  test('takes a package called test for a source where it is the product', () => {
    const { text } = readerOf({
      'lib/src/main/java/org/acme/test/Client.java': 'class Client {}\n',
      'lib/src/test/java/org/acme/test/ClientTests.java': 'class ClientTests {}\n',
    }).tree();
    expect(text).toContain('Client.java 1');
    expect(text).toContain('Tests: lib/src/test/ 1.');
  });

  const many = (count: number, name: (index: number) => string) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [name(index), numbered((index % 50) + 1, () => 'x')]),
    );

  test.each([
    ['one folder with 1000 files', many(1000, (i) => `src/module_${i}.py`), 800],
    ['500 folders with one file', many(500, (i) => `src/package_${i}/module.py`), 500],
    ['a deep chain of folders', many(60, (i) => `${'level/'.repeat(i)}a.py`), 400],
    ['names outside ASCII', many(500, (i) => `소스/모듈_${i}.py`), 1000],
    ['a large project in a small budget', many(800, (i) => `src/a${i % 9}/b${i % 7}/module_${i}.ts`), 2000],
  ])('stays within its budget for %s', (_, files, maxTokens) => {
    const { text, shown } = readerOf(files).tree({ maxTokens });
    expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
    expect(shown).toBeGreaterThan(0);
  });

  test('names the longest files of a folder that is too large, and how many more there are', () => {
    const { text, shown } = readerOf({
      ...many(600, (i) => `src/module_${i}.py`),
      'src/heart.py': numbered(5000, () => 'x'),
    }).tree({ maxTokens: 500 });
    expect(text).toContain('heart.py 5000');
    expect(text).toContain(`… +${601 - shown} more`);
  });

  test('of an empty repository says that there is nothing', () => {
    expect(readerOf({}).tree().text).toContain('0 source files');
  });

  test('quotes names that would break its lines', () => {
    expect(readerOf({ 'a\nb.py': 'x\n' }).tree().text).toContain('"a\\nb.py" 1');
  });
});

test('tokens are estimated no lower than a tokenizer counts them', () => {
  // Counted with OpenAI's o200k.
  expect(estimateTokens('sympy/core/expr.py 4236, numbers.py 4110\n')).toBeGreaterThanOrEqual(16);
  expect(estimateTokens('a3f09c7be1d24586.py 12')).toBeGreaterThanOrEqual(14);
  expect(estimateTokens('모듈파일이름.py 12')).toBeGreaterThanOrEqual(9);
});
