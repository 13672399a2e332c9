import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestRunner } from '#src/cli/eval-tests.ts';
import { loadConfig } from '#src/config.ts';
import { defaultRunSettings } from '#src/domain/default-settings.ts';
import type { Patch } from '#src/domain/patch.ts';
import type { Instance } from '#src/evaluation/datasets/instance.ts';
import type { Tested } from '#src/evaluation/running/evaluation.ts';
import { createFolderLedger } from '#src/jobs/folder-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'fathom-score-'));
const repository = join(folder, 'repo');
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: repository }).toString();

const leap = (rule: string) => `def leap(year):\n    return ${rule}\n`;
const RIGHT = 'year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)';
const tests = `import unittest
from calendar_rules import leap


class Leap(unittest.TestCase):
    def test_century(self):
        self.assertFalse(leap(1900))

    def test_usual(self):
        self.assertTrue(leap(2024))
`;

const signal = new AbortController().signal;

describe('the tests of an instance, in a real container', () => {
  let instance: Instance;
  const config = loadConfig({}, folder, { ...process.env, FATHOM_DATA: join(folder, 'data') });
  const runner = createTestRunner(config, join(folder, 'out'), 'environment');

  beforeAll(() => {
    mkdirSync(repository);
    git('init', '-q', '-b', 'main');
    writeFileSync(join(repository, 'calendar_rules.py'), leap('year % 4 == 0'));
    git('add', '-A');
    git('commit', '-q', '-m', 'Begin');
    instance = {
      instance_id: 'acme__dates-1',
      repo: 'acme/dates',
      base_commit: git('rev-parse', 'HEAD').trim(),
      problem_statement: 'Centuries',
      patch: diffOf('calendar_rules.py', leap(RIGHT)),
      test_patch: diffOf('test_calendar_rules.py', tests),
      test_command: 'python3 -m unittest -v test_calendar_rules',
    };
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function diffOf(path: string, content: string): string {
    writeFileSync(join(repository, path), content);
    git('add', '-A');
    const diff = git('diff', '--cached', '--full-index', '--binary');
    git('reset', '-q', '--hard');
    return diff;
  }

  function tested(patch: Patch, more: Partial<Instance>): Tested {
    const at = new Date().toISOString();
    const trigger = { kind: 'terminal' as const, actor: 'a', at };
    const run = {
      ...{ id: 'eval-score-test', mode: 'resolve' as const, settings: defaultRunSettings('m'), startedAt: at },
      repository: { kind: 'local' as const, path: repository },
      snapshot: { title: 't', body: '', comments: [], hash: 'h', trigger },
    };
    const resolution = { patch, end: 'submitted', recovered: false };
    const ledger = createFolderLedger(join(folder, 'run'));
    return { instance: { ...instance, ...more }, run, path: repository, resolution, ledger };
  }

  function score(rule: string) {
    const diff = diffOf('calendar_rules.py', leap(rule));
    const file = { path: 'calendar_rules.py', added: 1, removed: 1, binary: false };
    const patch: Patch = {
      ...{ base: instance.base_commit, diff: Buffer.from(diff).toString('base64'), left: [], notes: [] },
      files: [{ ...file, status: 'modified', kind: 'source' }],
    };
    return runner(tested(patch, {}), signal);
  }

  it('are found from its fix where it brings no lists, and pass with a right change', async () => {
    expect(await score(RIGHT)).toMatchObject({
      resolved: true,
      failToPass: { passed: 1, total: 1 },
      passToPass: { passed: 1, total: 1 },
    });
  });

  it('fail with a change that repairs nothing, or breaks what worked', async () => {
    expect(await score('year % 4 == 0 and year > 0')).toMatchObject({ resolved: false, failToPass: { passed: 0 } });
    expect(await score('False')).toMatchObject({
      resolved: false,
      failToPass: { passed: 1 },
      passToPass: { passed: 0 },
    });
  });

  it('that never end are not passed, and say so', async () => {
    const slow = { ...config, settings: { ...config.settings, tests: { timeoutSeconds: 3 } } };
    const hanging = createTestRunner(slow, join(folder, 'out'), 'environment');
    const lists = { FAIL_TO_PASS: ['x'], PASS_TO_PASS: [], test_command: 'sleep 100' };
    const patch = { base: instance.base_commit, diff: '', files: [], left: [], notes: [] };
    const verdict = await hanging(tested(patch, lists), signal);
    expect(verdict).toMatchObject({ resolved: false, reason: 'the tests did not end within 3 s' });
  });
});
