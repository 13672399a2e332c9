import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareEdges } from '../../scripts/eval-imports/compare-edges.ts';
import { plainBm25 } from '../../scripts/eval-ranker/plain-bm25.ts';
import { makeTree } from './trees.ts';

const scripts = path.join(import.meta.dirname, '../../scripts');
const run = (script: string, args: string[]) =>
  spawnSync(process.execPath, [path.join(scripts, script), ...args], { encoding: 'utf8' });

/** A folder of clones, and the base commit of each by its owner/name. */
function clones(repositories: Record<string, Record<string, string>>): {
  folder: string;
  commits: Record<string, string>;
} {
  const folder = makeTree(
    Object.fromEntries(
      Object.entries(repositories).flatMap(([name, files]) =>
        Object.entries(files).map(([file, text]) => [`${name.replace('/', '+')}/${file}`, text]),
      ),
    ),
  );
  const commits = Object.fromEntries(
    Object.keys(repositories).map((name) => {
      const git = (...args: string[]) =>
        execFileSync('git', ['-C', path.join(folder, name.replace('/', '+')), ...args], { encoding: 'utf8' });
      git('init', '-q');
      git('add', '-A');
      git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'x');
      return [name, git('rev-parse', 'HEAD').trim()];
    }),
  );
  return { folder, commits };
}

describe('eval:ranker', () => {
  test('ranks each issue at its own commit with weights from the other repositories', { timeout: 60_000 }, () => {
    const files = {
      'pkg/cart.py': 'def total_price():\n    return 1\n',
      'pkg/mail.py': 'def send_mail():\n    return 2\n',
      'pkg/tax.py': 'def tax_rate():\n    return 3\n',
    };
    const { folder, commits } = clones({ 'a/one': files, 'b/two': files });
    const lines = Object.entries(commits).map(([repo, base_commit], at) =>
      JSON.stringify({
        instance_id: `i-${at}`,
        repo,
        base_commit,
        problem_statement: 'The total price of a cart is wrong',
        patch: '--- a/pkg/cart.py\n+++ b/pkg/cart.py\n@@ -2 +2 @@\n-    return 1\n+    return 2\n',
      }),
    );
    const data = path.join(folder, 'data.jsonl');
    fs.writeFileSync(data, `${lines.join('\n')}\n`);
    const { stdout, stderr } = run('eval-ranker.ts', ['--data', data, '--repos', folder, '--fit']);
    expect(stderr).toContain('0 of 2 issues have no clone');
    expect(stdout).toContain('2 issues of 2 repositories');
    expect(stdout).toMatch(/ours, trained on the others +100\.0/);
    expect(stdout).toContain('Fitted to all');
  });

  test('without its options says how it is called', () => {
    const { status, stderr } = run('eval-ranker.ts', []);
    expect([status, stderr.includes('--repos DIR')]).toEqual([2, true]);
  });

  test('has a plain BM25 that prefers rare words and short files', () => {
    const scores = plainBm25(['common rare', 'common common', `rare ${'x '.repeat(50)}`], 'rare common');
    expect(scores.indexOf(Math.max(...scores))).toBe(0);
    expect(scores[1]).toBeLessThan(scores[0] as number);
  });
});

describe('eval:imports', () => {
  test('finds no difference where there is none', { timeout: 60_000 }, () => {
    const { folder } = clones({
      'a/one': {
        'pkg/__init__.py': 'from .core import run\n',
        'pkg/core.py': 'import os\nfrom . import util\nfrom pkg.util import x\n',
        'pkg/util.py': '',
        'web/main.ts': "import { a } from './a.js'\nimport 'react'\n",
        'web/a.ts': '',
      },
    });
    const { stdout } = run('eval-imports.ts', ['--repos', folder, 'a/one', 'c/none']);
    expect(stdout).toContain('3 files, 2 imports into the repository, 0 missed\n  2 edges of ours, 0 wrong');
    expect(stdout).toContain('2 files, 1 imports into the repository, 0 missed\n  1 edges of ours, 0 wrong');
    expect(stdout).toContain('c/none: no clone, skipped');
  });

  test('counts what is missed and what is wrong', () => {
    const oracle = { 'a.py': { must: [['b.py'], ['c.py', 'd.py']], allowed: [], open: 0 } };
    const edges = compareEdges(oracle, () => ['d.py', 'e.py']);
    expect([edges.missed, edges.wrong]).toEqual([['a.py -> b.py'], ['a.py -> e.py']]);
  });
});
