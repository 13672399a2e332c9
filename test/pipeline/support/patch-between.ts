import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Patch } from '#src/domain/patch.ts';
import { isTestPath } from '#src/git/classify-change.ts';

type Files = Record<string, string>;

/** The patch between two sets of files, as git makes it. */
export function patchBetween(before: Files, after: Files): Patch {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-patch-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'core.autocrlf=false', ...args], { cwd: folder, maxBuffer: 2 ** 26 });
  const write = (files: Files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  try {
    git('init', '-q');
    write(before);
    git('add', '-A');
    git('-c', 'user.name=x', '-c', 'user.email=x', 'commit', '-qm', 'x', '--allow-empty');
    write(after);
    git('add', '-A');
    const diff = git('diff', '--cached', '--binary', '--full-index', 'HEAD').toString('base64');
    const changed = Object.keys(after).filter((path) => before[path] !== after[path]);
    const files = changed.map((path) => ({
      path,
      status: path in before ? ('modified' as const) : ('added' as const),
      kind: isTestPath(path) ? ('test' as const) : ('source' as const),
      added: 1,
      removed: 1,
      binary: false,
    }));
    return { base: git('rev-parse', 'HEAD').toString().trim(), diff, files, left: [], notes: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
