import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

it('every test that the page names as evidence is there, and is run by test:attacks', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const filters = scripts['test:attacks'].split(' ').filter((word: string) => word.startsWith('test/'));
  const named = [...page.matchAll(/`(test\/[\w/-]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(25);
  const missing = named.filter((path) => {
    const files = globSync(`${path}{,*.test.ts,/*.test.ts}`, { cwd: root }).filter((file) => file.endsWith('.test.ts'));
    return files.length === 0 || !files.every((file) => filters.some((filter: string) => file.includes(filter)));
  });
  expect(missing).toEqual([]);
});
