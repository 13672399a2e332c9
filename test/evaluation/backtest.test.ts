import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closingReferences } from '#src/evaluation/backtest/closing-references.ts';
import { splitFix } from '#src/evaluation/backtest/split-fix.ts';
import { readDataset } from '#src/evaluation/datasets/read-dataset.ts';
import { userToken } from '../../scripts/github-front/front-options.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { minedRepository, NAME, PAST } from './mined-repository.ts';

describe('what a pull request says that it fixes', () => {
  it.each([
    ['Fixes #12', [12]],
    ['closes: #3 and resolved #4.', [3, 4]],
    ['Fix acme/dates#7; fixes other/repo#8', [7]],
    ['resolves https://github.com/Acme/Dates/issues/9', [9]],
    ['See #5, which fixes nothing. #6', []],
    ['prefixes #10', []],
    ['**Fixes** #11 fixes #11', [11]],
  ])('%j', (text, issues) => {
    expect(closingReferences(text, NAME)).toEqual(issues);
  });
});

it('a fix is taken apart into source and tests, and both still apply', () => {
  const part = (path: string) => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+y\n`;
  const split = splitFix(part('src/a.py') + part('tests/test_a.py') + part('CHANGES.md'));
  expect(split).toEqual({
    patch: part('src/a.py') + part('CHANGES.md'),
    testPatch: part('tests/test_a.py'),
    sources: 1,
  });
});

describe('a backtest of thirty issues, at the emulator and as we believe GitHub does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-backtest-'));
  const out = join(folder, 'mined.jsonl');
  let front: GitHubFront;

  beforeAll(async () => {
    front = await minedRepository();
  }, 120_000);
  afterAll(async () => {
    await front?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const backtest = (...more: string[]) =>
    new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      const args = ['src/cli/main.ts', 'backtest', NAME, '--out', out, '--base-url', front.url, ...more];
      const env = { ...process.env, GITHUB_TOKEN: userToken('octo-admin') };
      const child = spawn(process.execPath, args, { cwd: join(import.meta.dirname, '../..'), env });
      const said = { out: '', err: '' };
      child.stdout.on('data', (data) => (said.out += data));
      child.stderr.on('data', (data) => (said.err += data));
      child.on('close', (code) => resolve({ code, ...said }));
    });

  it('stops after as many instances as were asked for, and waits out a rate limit', async () => {
    const headers = { 'retry-after': '1', 'x-ratelimit-remaining': '0' };
    const fault = { status: 403, headers, body: { message: 'API rate limit exceeded' } };
    front.faults.add({ method: 'GET', path: /issues$/, fault, times: 1 });
    const { code, err } = await backtest('--limit', '3');
    expect(err).toContain('GitHub answered with 403; asked again in');
    expect(code).toBe(0);
    expect(readDataset(readFileSync(out, 'utf8')).instances).toHaveLength(3);
  }, 60_000);

  it('goes on where it stopped, and says of each issue why it was taken or not', async () => {
    const decided = `${out}.decisions`;
    writeFileSync(decided, `${readFileSync(decided, 'utf8')}{"issue": 99, "ti`);
    const requests = front.requests.filter((request) => request.includes('/compare/')).length;
    const { code, out: said, err } = await backtest();
    expect(err).not.toContain('✓ #1 ');
    expect(code).toBe(0);
    const closed = PAST.filter((past) => past !== 'open').length;
    expect(said).toContain(`${closed} closed issues, 15 taken (3 without tests`);
    expect(said).toContain('3 not taken: closed as a duplicate');
    expect(said).toContain('3 not taken: no merged pull request says that it fixes it');
    expect(said).toContain('2 not taken: reopened after its fix was merged');
    expect(said).toContain('2 not taken: its fix also fixes other issues');
    expect(said).toContain('1 not taken: more than one merged pull request fixes it');
    expect(said).toContain('1 not taken: its fix changes no source code');
    expect(said).toContain('1 not taken: closed without a fix (not planned)');
    expect(said).toContain('the text is as it stands now');
    expect(front.requests.filter((request) => request.includes('/compare/')).length).toBeGreaterThan(requests);
  }, 60_000);

  it('gives instances that `fathom eval` reads, whose fix and tests apply to their base commit', () => {
    const { instances, bad } = readDataset(readFileSync(out, 'utf8'));
    expect(bad).toEqual([]);
    expect(instances).toHaveLength(15);
    const bare = front.gitFolder(NAME);
    for (const instance of instances) {
      const tree = mkdtempSync(join(folder, 'tree-'));
      const git = (args: string[], input = '') => execFileSync('git', args, { cwd: tree, input });
      git(['clone', '-q', bare, '.']);
      git(['checkout', '-q', instance.base_commit]);
      git(['apply', '--check'], instance.patch);
      if (instance.test_patch) git(['apply', '--check'], instance.test_patch);
      expect(existsSync(join(tree, 'src/calendar.py'))).toBe(true);
    }
    expect(instances[0]?.problem_statement).toBe('Issue 1\nIt is fixed.');
  }, 60_000);

  it('is refused without a repository or a place to write to', async () => {
    const { code, err } = await backtest('--limit', 'x');
    expect(code).toBe(2);
    expect(err).toContain('--limit is no number');
  });
});
