import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const calendar = `def is_leap(year):
    return year % 4 == 0


def days_in_year(year):
    return 366 if is_leap(year) else 365
`;

const tests = `import unittest

from dates.calendar import days_in_year


class DaysInYear(unittest.TestCase):
    def test_common(self):
        self.assertEqual(days_in_year(2023), 365)

    def test_leap(self):
        self.assertEqual(days_in_year(2024), 366)
`;

/** Its files at the commit that is worked on. */
export const leapFiles: Record<string, string> = {
  'dates/__init__.py': '',
  'dates/calendar.py': calendar,
  'tests/__init__.py': '',
  'tests/test_calendar.py': tests,
  'setup.cfg': '[metadata]\nname = dates\n',
};

const later = `SECRET_OF_THE_FUTURE = 'the fix'\n`;

/** A small Python library with a fault, a commit after the one that is worked on, and uncommitted work on top. */
export function leapRepository(): { folder: string; repo: string; base: string; issue: string } {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-cli-'));
  const repo = join(folder, 'clone');
  const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8' }).trim();
  mkdirSync(join(repo, 'dates'), { recursive: true });
  mkdirSync(join(repo, 'tests'));
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'dev@example.org');
  git('config', 'user.name', 'Dev');
  for (const [path, text] of Object.entries(leapFiles)) writeFileSync(join(repo, path), text);
  git('add', '-A');
  git('commit', '-qm', 'Count days');
  const base = git('rev-parse', 'HEAD');
  writeFileSync(join(repo, 'later.py'), later);
  git('add', '-A');
  git('commit', '-qm', 'A later commit');
  git('checkout', '-q', base);
  writeFileSync(join(repo, 'uncommitted.txt'), 'private work');
  const issue = join(folder, 'issue.md');
  writeFileSync(issue, '# 1900 has 366 days\n\n`days_in_year(1900)` gives 366, but 1900 was no leap year.\n');
  return { folder, repo, base, issue };
}
