import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CancelledError } from '#src/domain/errors.ts';
import { createGit } from '#src/git/git-command.ts';
import { shell, temporaryFolder } from './repositories.ts';

/** A git that starts a child, notes both process ids and never ends. */
function stuckGit(): { PATH: string; ids: string } {
  const folder = temporaryFolder();
  const ids = join(folder, 'ids');
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh\nsleep 600 &\necho $! > ${ids}.tmp; echo $$ >> ${ids}.tmp; mv ${ids}.tmp ${ids}; wait\n`,
    {
      mode: 0o755,
    },
  );
  return { PATH: `${folder}:/usr/bin:/bin`, ids };
}

const running = (ids: string): string =>
  shell(
    '/',
    `for id in $(cat ${ids}); do if grep -q '^State:.[^ZX]' /proc/$id/status 2> /dev/null; then echo $id; fi; done`,
  );

test('a stopped run ends git at once, with everything that git started', async () => {
  const { PATH, ids } = stuckGit();
  const controller = new AbortController();
  const call = createGit({ PATH })({ args: ['fetch'] }, controller.signal);
  shell('/', `until test -e ${ids}; do sleep 0.02; done`);
  controller.abort(new CancelledError('@alice'));
  await expect(call).rejects.toMatchObject({ code: 'cancelled', by: '@alice' });
  expect(running(ids)).toBe('');
});

test('a git that takes too long is ended, with everything that it started', async () => {
  const { PATH, ids } = stuckGit();
  const call = createGit({ PATH })({ args: ['fetch'], seconds: 1 }, new AbortController().signal);
  await expect(call).rejects.toMatchObject({ code: 'git', message: 'git fetch: took longer than 1 s and was stopped' });
  expect(running(ids)).toBe('');
});

test('a machine without git is told to install it', async () => {
  const call = createGit({ PATH: temporaryFolder() })({ args: ['version'] }, new AbortController().signal);
  await expect(call).rejects.toMatchObject({ code: 'git', remedy: expect.stringContaining('Install git') });
});

test('git sees nothing of the surroundings but where programs, proxies and certificates are', async () => {
  const surroundings = { PATH: process.env['PATH'], GIT_DIR: '/nonexistent', SECRET: 'x', https_proxy: 'http://p:1' };
  const call = { args: ['show-environment'], config: [['alias.show-environment', '!env']] as [string, string][] };
  const { stdout } = await createGit(surroundings)(call, new AbortController().signal);
  const names = stdout
    .toString()
    .split('\n')
    .map((line) => line.split('=')[0]);
  expect(names).toContain('https_proxy');
  expect(names).not.toContain('SECRET');
  expect(stdout.toString()).not.toContain('/nonexistent');
});
