import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Patch } from '#src/domain/patch.ts';
import type { Clock } from '#src/domain/ports/clock.ts';
import { createForge } from '#src/github/create-forge.ts';
import { createInstallations } from '#src/github/installations.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A clock whose sleeps end at once and are written down. */
export function stillClock(): Clock & { slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => new Date(),
    monotonic: () => 0,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      slept.push(ms / 1000);
    },
  };
}

export function forgeOn(front: GitHubFront) {
  const clock = stillClock();
  const { appId, privateKey, url: baseUrl } = front;
  const installations = createInstallations({ appId, privateKey, baseUrl, clock, log: silent });
  return { clock, installations, forge: createForge(installations) };
}

/** The patch between the front's branch and what `change` makes of a checkout of it, with every file listed. */
export function patchOf(front: GitHubFront, fullName: string, branch: string, change: (folder: string) => void): Patch {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-test-patch-'));
  const git = (...args: string[]) => execFileSync('git', ['-c', 'core.quotePath=false', ...args], { cwd: folder });
  try {
    git('clone', '-q', '-b', branch, front.gitFolder(fullName), '.');
    change(folder);
    git('add', '-A', '-f');
    const diff = git('diff', '--cached', '--binary', '--full-index', '-M', 'HEAD');
    const listed = git('diff', '--cached', '--name-status', '--no-renames', '-z', 'HEAD').toString().split('\0');
    const files: Patch['files'] = [];
    for (let at = 0; at + 1 < listed.length; at += 2) {
      const status = listed[at] === 'A' ? 'added' : listed[at] === 'D' ? 'deleted' : 'modified';
      files.push({ path: listed[at + 1] ?? '', status, kind: 'source', added: 1, removed: 1, binary: false });
    }
    const base = git('rev-parse', 'HEAD').toString().trim();
    return { base, diff: diff.toString('base64'), files, left: [], notes: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
