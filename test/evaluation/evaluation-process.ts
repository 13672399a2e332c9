import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { leapRepository } from '../cli/leap-repository.ts';

export const FIX = 'year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)';

/** A mirror folder with the leap year library, and two instances of it that differ in their issues. */
export function leapEvaluation() {
  const { folder, repo, base } = leapRepository();
  const repos = join(folder, 'mirrors');
  mkdirSync(repos);
  const clone = join(repos, 'acme+dates');
  renameSync(repo, clone);
  const git = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' });
  const diffOf = (path: string, content: string) => {
    writeFileSync(join(clone, path), content);
    git('add', path);
    const diff = git('diff', '--cached', '--', path);
    git('reset', '-q', '--hard');
    return diff;
  };
  const source = readFileSync(join(clone, 'dates/calendar.py'), 'utf8');
  const test = `import unittest\n\nfrom dates.calendar import days_in_year\n\n\nclass Century(unittest.TestCase):\n    def test_1900(self):\n        self.assertEqual(days_in_year(1900), 365)\n`;
  const instance = {
    repo: 'acme/dates',
    base_commit: base,
    patch: diffOf('dates/calendar.py', source.replace('year % 4 == 0', FIX)),
    test_patch: diffOf('tests/test_hidden_century.py', test),
    test_command: 'python3 -m unittest -v tests.test_hidden_century tests.test_calendar',
  };
  const data = join(folder, 'data.jsonl');
  const instances = [
    {
      ...instance,
      instance_id: 'acme__dates-1',
      problem_statement: '1900 has 366 days\n`days_in_year(1900)` is wrong.',
    },
    { ...instance, instance_id: 'acme__dates-2', problem_statement: 'is_leap(2100)\n`is_leap` in dates/calendar.py' },
  ];
  const writeData = (...lines: (object | string)[]) =>
    writeFileSync(
      data,
      `${lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`,
    );
  writeData(...instances);
  const out = join(folder, 'out');
  const args = ['eval', '--data', data, '--repos', repos, '--out', out];
  return { folder, repos, clone, out, args, instances, writeData };
}

export function outcomesIn(out: string): { instance: string; arm: string; [field: string]: unknown }[] {
  const runs = join(out, 'runs');
  if (!existsSync(runs)) return [];
  return readdirSync(runs, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('outcome.json'))
    .sort()
    .map((path) => JSON.parse(readFileSync(join(runs, path), 'utf8')));
}
