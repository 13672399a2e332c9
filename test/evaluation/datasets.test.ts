import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { goldOf } from '#src/evaluation/datasets/gold.ts';
import { countLines, parseDiff } from '#src/evaluation/datasets/parse-diff.ts';
import { readDataset } from '#src/evaluation/datasets/read-dataset.ts';
import { seededRandom } from '#src/evaluation/statistics/seeded-random.ts';

const folder = mkdtempSync(join(tmpdir(), 'fathom-diffs-'));
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const line = (more: object = {}) =>
  JSON.stringify({
    instance_id: 'o__n-1',
    repo: 'o/n',
    base_commit: 'a'.repeat(40),
    problem_statement: 'It fails\nbadly',
    patch: 'diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n',
    ...more,
  });

describe('a data set', () => {
  it('names each malformed line and goes on with the others', () => {
    const text = [line(), '{"instance_id": ', '', line({ instance_id: 'o__n-2', base_commit: 'HEAD' }), line(), 'null'];
    const { instances, bad } = readDataset(text.join('\n'));
    expect(instances.map((one) => one.instance_id)).toEqual(['o__n-1']);
    expect(bad.map((one) => [one.line, one.reason])).toEqual([
      [2, 'is not JSON'],
      [4, 'base_commit: is no commit'],
      [5, 'an instance of this name came before'],
      [6, expect.stringContaining('expected object')],
    ]);
  });

  it('reads test names as a list and as JSON text', () => {
    const { instances } = readDataset(line({ FAIL_TO_PASS: '["a", "b"]', PASS_TO_PASS: ['c'] }));
    expect(instances[0]).toMatchObject({ FAIL_TO_PASS: ['a', 'b'], PASS_TO_PASS: ['c'] });
    expect(readDataset(line({ FAIL_TO_PASS: 'a, b' })).bad).toHaveLength(1);
  });

  it('takes no instance whose name would lead out of its folder', () => {
    expect(readDataset(line({ instance_id: '../../x' })).instances).toEqual([]);
    expect(readDataset(line({ repo: '../x' })).instances).toEqual([]);
  });

  it('does not read the comments that may tell the fix', () => {
    expect(readDataset(line({ hints_text: 'look at a.py' })).instances[0]).not.toHaveProperty('hints_text');
  });
});

describe('the gold of a fix', () => {
  it('is every run of changed lines at base, and the line after which something is added', () => {
    const patch = [
      'diff --git a/src/a.py b/src/a.py',
      '--- a/src/a.py',
      '+++ b/src/a.py',
      '@@ -10,6 +10,7 @@ def f():',
      ' ten',
      '-eleven',
      '-twelve',
      '+new',
      ' thirteen',
      '+added',
      '+added',
      ' fourteen',
      ' fifteen',
      '@@ -30,0 +33 @@',
      '+after thirty',
      '',
    ].join('\n');
    expect(goldOf(patch)).toEqual({
      files: ['src/a.py'],
      chunks: [
        { path: 'src/a.py', startLine: 11, endLine: 12 },
        { path: 'src/a.py', startLine: 13, endLine: 13 },
        { path: 'src/a.py', startLine: 30, endLine: 30 },
      ],
    });
  });

  it('leaves tests out, and documentation where code was changed too', () => {
    const part = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+y\n`;
    expect(goldOf(part('src/a.py') + part('tests/test_a.py') + part('CHANGES.rst')).files).toEqual(['src/a.py']);
    expect(goldOf(part('docs/a.rst')).files).toEqual(['docs/a.rst']);
  });

  it('finds a renamed file under its old path and a new file under its new one', () => {
    const patch = [
      'diff --git a/src/old.py b/src/new.py',
      'similarity index 90%',
      'rename from src/old.py',
      'rename to src/new.py',
      '--- a/src/old.py',
      '+++ b/src/new.py',
      '@@ -2 +2 @@',
      '-x',
      '+y',
      'diff --git a/src/extra.py b/src/extra.py',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/src/extra.py',
      '@@ -0,0 +1 @@',
      '+z',
    ].join('\n');
    expect(goldOf(patch)).toEqual({
      files: ['src/old.py', 'src/extra.py'],
      chunks: [{ path: 'src/old.py', startLine: 2, endLine: 2 }],
    });
  });

  it.each(['', 'hello', 'diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n a\n'])(
    'cannot be had from what is no diff: %j',
    (patch) => {
      expect(() => goldOf(patch)).toThrow();
    },
  );
});

describe('a diff that git made', () => {
  it('counts as `git apply --numstat` counts it, for random changes of awkward files', () => {
    const random = seededRandom(7);
    const pick = <T>(all: T[]): T => all[Math.floor(random() * all.length)] as T;
    const text = () => Array.from({ length: 3 + Math.floor(random() * 30) }, () => pick(LINES));
    git('init', '-q', '-b', 'main');
    const states = new Map(NAMES.map((name) => [name, text()]));
    const write = () => {
      for (const [name, lines] of states) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), lines.join('\n') + (random() < 0.5 ? '\n' : ''));
      }
      git('add', '-A');
      git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'x');
    };
    write();
    for (let round = 0; round < 12; round++) {
      for (const lines of states.values()) {
        for (let edit = 0; edit < 3; edit++) {
          lines.splice(Math.floor(random() * lines.length), Math.floor(random() * 3), ...text().slice(0, 2));
        }
      }
      write();
      const diff = execFileSync('git', ['diff', `-U${round % 4}`, 'HEAD~1', 'HEAD'], { cwd: folder, encoding: 'utf8' });
      const counted = parseDiff(diff).map((file) => {
        const { added, removed } = countLines(file);
        return `${added}\t${removed}\t${file.newPath ?? file.oldPath}`;
      });
      const numstat = execFileSync('git', ['apply', '--numstat', '-z'], { cwd: folder, input: diff, encoding: 'utf8' });
      expect(counted).toEqual(numstat.split('\0').filter((entry) => entry !== ''));
    }
  });
});

const NAMES = ['a.py', 'with space/b c.py', 'ünï/ç"d.py', 'tab\there.txt'];
const LINES = ['--- a/x', '+++ b/x', '@@ -1 +1 @@', 'diff --git a/a b/a', '', '\\ No', 'windows\r', '-', '+', 'é'];
