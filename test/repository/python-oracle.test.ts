import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { mask } from '../../src/repository/languages/mask.ts';
import { python } from '../../src/repository/languages/python.ts';

const ORACLE = `
import ast, json, sys
for path in json.load(sys.stdin):
    try:
        tree = ast.parse(open(path, 'rb').read())
    except Exception:
        print('null'); continue
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = '.' * node.level + (node.module or '')
            found.update(module + ' ' + alias.name for alias in node.names)
    print(json.dumps(sorted(found)))
`;

/** Files of Python's own library: a real repository that is there wherever Python is. */
function libraryFiles(): string[] {
  const found = spawnSync('python3', ['-c', 'import os; print(os.path.dirname(os.__file__))'], { encoding: 'utf8' });
  if (found.status !== 0) return [];
  const root = found.stdout.trim();
  const names = fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.py') && !name.includes('site-packages') && !name.includes('dist-packages'));
  return names
    .sort()
    .slice(0, 900)
    .map((name) => path.join(root, name));
}

function scanned(file: string): string[] {
  const text = fs.readFileSync(file, 'latin1');
  const statements = python.imports?.(mask(text, python.syntax).code, text) ?? [];
  return [
    ...new Set(
      statements.flatMap(({ module, names }) =>
        names.length === 0 ? [module] : names.map((name) => `${module} ${name}`),
      ),
    ),
  ].sort();
}

const files = libraryFiles();

describe.skipIf(files.length === 0)('the Python scanner beside Python itself', () => {
  test('finds the same imports in the standard library', { timeout: 60_000 }, () => {
    const lines = execFileSync('python3', ['-W', 'ignore', '-c', ORACLE], {
      input: JSON.stringify(files),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const expected = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[] | null);
    const differing = files.filter(
      (file, index) => expected[index] && JSON.stringify(expected[index]) !== JSON.stringify(scanned(file)),
    );
    expect(differing).toEqual([]);
  });
});
