import { expect, onTestFinished, test } from 'vitest';
import type { Mount } from '#src/domain/ports/index.ts';
import { host, run, specFor } from '../sandbox/sandbox-fixture.ts';
import { COMMIT, contentsOf, exists, never, open, repository, temporaryFolder } from './repositories.ts';

async function sandboxOn(mount: Mount) {
  const spec = specFor('git-workspace', { mounts: [mount], workdir: '/repo' });
  const sandbox = await host.start(spec, never);
  onTestFinished(() => sandbox.remove());
  return sandbox;
}

test('an agent in a container reads history, works with git as usual, and its patch is taken from outside', async () => {
  const dataDir = temporaryFolder();
  const marker = `${temporaryFolder()}/planted`;
  const clone = repository(`echo 1 > a.txt${COMMIT} echo 2 > a.txt; echo 1 > b.sh${COMMIT}`);
  const workspace = await open(clone, {}, { dataDir, sandboxUid: async () => host.userOnHost?.() });

  const reader = await sandboxOn(await workspace.reader());
  const read = await run(reader, 'git log --format=%s && git blame -s a.txt && git status --porcelain && touch a.txt');
  expect(read.output).toMatch(/^base\nbase\n\w+ 1\) 2\n.*Read-only file system/);

  const writer = await workspace.writer('resolver');
  const agent = await sandboxOn(writer.mount);
  const work = await run(
    agent,
    `set -e; git status --porcelain; echo 3 >> a.txt; git -c user.name=a -c user.email=b commit -qam work; git diff HEAD~1 --stat
     chmod +x b.sh; mkdir lib; echo n > lib/n.py; git config core.fsmonitor 'touch ${marker}'; rm -rf .git/objects
     mknod dev c 1 3 || mkfifo lib/p; chmod 000 a.txt; git init -q lib/nested; echo q > lib/nested/q`,
  );
  expect([work.exitCode, work.output]).toEqual([0, expect.stringContaining('1 insertion')]);
  const patch = await writer.takePatch(never);
  expect(patch.files.map(({ path, status }) => `${status} ${path}`)).toEqual([
    'modified a.txt',
    'mode-changed b.sh',
    'added lib/n.py',
    'added lib/nested/q',
  ]);

  const checkout = await workspace.checkout('proof', patch);
  if (!checkout.applied) throw new Error(checkout.reason);
  const proof = await run(await sandboxOn(checkout.mount), 'cat a.txt && touch written && git status --porcelain -uno');
  expect(proof.output).toBe('2\n3\nM  a.txt\nM  b.sh\nA  lib/n.py\nA  lib/nested/q\n');
  expect(contentsOf(checkout.mount.source)['lib/nested/q']).toBe('file q\n');
  expect(exists(marker)).toBe(false);
  await workspace.dispose();
});
