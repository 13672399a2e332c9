import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addedIn } from '#src/domain/added-lines.ts';

describe('the lines that a diff adds', () => {
  it('are those that git says, with their numbers, whatever the files are called and the lines look like', () => {
    const folder = mkdtempSync(join(tmpdir(), 'added-'));
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
    git('init', '-q');
    writeFileSync(join(folder, 'a b.txt'), 'one\ntwo\n++ three\n');
    writeFileSync(join(folder, 'gone.txt'), 'gone\n');
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'base');
    writeFileSync(join(folder, 'a b.txt'), 'one\nnew\n++ b/other.txt\n');
    writeFileSync(join(folder, '한"글.txt'), '++ b/x\n@@ -1 +1 @@\nlast line without end');
    git('rm', '-q', 'gone.txt');
    git('add', '-A');
    expect(addedIn(git('diff', '--cached', '--binary', '--full-index'))).toEqual([
      { path: 'a b.txt', line: 2, text: 'new' },
      { path: 'a b.txt', line: 3, text: '++ b/other.txt' },
      { path: '한"글.txt', line: 1, text: '++ b/x' },
      { path: '한"글.txt', line: 2, text: '@@ -1 +1 @@' },
      { path: '한"글.txt', line: 3, text: 'last line without end' },
    ]);
  });

  it('are none in what is no diff', () => {
    expect(addedIn('+not a diff\n+++ b/x\n+y')).toEqual([]);
  });
});
