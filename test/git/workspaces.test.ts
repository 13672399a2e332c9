import { lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CancelledError, InputError } from '#src/domain/errors.ts';
import { createWorkspaces } from '#src/git/workspaces.ts';
import { COMMIT, contentsOf, exists, never, open, repository, shell, temporaryFolder } from './repositories.ts';

const THREE = `echo 1 > a.txt${COMMIT} git tag v1; echo 2 > a.txt${COMMIT} git tag -a -m later v2; echo secret-later > a.txt${COMMIT}`;

const objectsIn = (folder: string): string =>
  shell(folder, 'git cat-file --batch-all-objects --batch-check="%(objectname) %(objecttype)"; git for-each-ref');

/** Bytes, modes and times of everything below, so that a touch would show. */
const fingerprint = (folder: string): string =>
  shell(folder, 'find . -type f -printf "%p %m %T@ " -exec sha256sum {} + | sort');

describe('a local clone', () => {
  test('opens at its HEAD, and the copy holds base and nothing after it', async () => {
    const clone = repository(THREE);
    const later = shell(clone, 'git rev-parse HEAD HEAD^{tree} HEAD:a.txt').split('\n');
    const workspace = await open(clone, { base: 'HEAD~1' });
    expect(workspace.base).toBe(shell(clone, 'git rev-parse HEAD~1'));
    expect(contentsOf(workspace.tree)).toEqual({ 'a.txt': 'file 2\n' });
    expect(shell(workspace.tree, 'git log --format=%s; git status --porcelain')).toBe('base\nbase');
    const held = objectsIn(workspace.tree);
    for (const object of later) expect(held).not.toContain(object);
    expect(held.match(/ (commit|tree|blob)$/gm)).toHaveLength(6);
    expect(exists(join(workspace.tree, '.git/objects/info/alternates'))).toBe(false);
  });

  test('keeps the tags of the history that is kept, as names of commits', async () => {
    const workspace = await open(repository(THREE));
    expect(shell(workspace.tree, 'git describe --tags HEAD~1; git cat-file -t v2')).toBe('v2\ncommit');
    expect((await open(repository(THREE), { base: 'v1' })).notes).toEqual([]);
  });

  test('is not written, not even its index, and its uncommitted work is left alone and said', async () => {
    const clone = repository(`${THREE} echo mine > a.txt; echo mine > b.txt; touch -d 2001-01-01 a.txt`);
    const before = fingerprint(clone);
    const workspace = await open(clone);
    const writer = await workspace.writer('resolver');
    await writer.takePatch(never);
    expect(contentsOf(workspace.tree)).toEqual({ 'a.txt': 'file secret-later\n' });
    expect(workspace.notes).toEqual([
      'The clone has 2 paths with uncommitted work; only what is committed was read, and nothing there was touched.',
    ]);
    expect(fingerprint(clone)).toBe(before);
  });

  test('runs nothing that its own configuration plants', async () => {
    const marker = join(temporaryFolder(), 'planted');
    const clone = repository(`${THREE}
      git config core.fsmonitor "touch ${marker}"; git config filter.x.clean "touch ${marker}; cat"
      git config filter.x.process "touch ${marker}"; git config filter.x.required true
      git config filter.x.smudge "touch ${marker}; cat"; git config uploadpack.packObjectsHook "touch ${marker}"
      git config core.sshCommand "touch ${marker}"; git config core.alternateRefsCommand "touch ${marker}"
      echo '* filter=x' > .git/info/attributes; mkdir h; git config core.hooksPath "$PWD/h"
      for hook in post-checkout post-index-change reference-transaction; do
        printf '#!/bin/sh\\ntouch %s' ${marker} > h/$hook; chmod +x h/$hook; cp h/$hook .git/hooks/ 2>/dev/null || true
      done
      touch -d 2001-01-01 a.txt; rm -f ${marker}`);
    const workspace = await open(clone);
    await workspace.checkout('proof');
    expect(exists(marker)).toBe(false);
  });

  test.each([
    ['a bare clone', 'git clone -q --bare . ../other', ['History']],
    ['a worktree', 'git worktree add -q ../other', []],
    ['a clone that borrows objects', 'git clone -q --shared . ../other', []],
    [
      'a sha256 repository',
      'git init -q --object-format=sha256 ../other; cd ../other; cp ../clone/a.txt .; git add .; git commit -qm x',
      [],
    ],
  ])('%s works', async (_sentence, script) => {
    const clone = repository(THREE);
    shell(clone, script);
    const workspace = await open(join(clone, '../other'));
    const writer = await workspace.writer('resolver');
    writeFileSync(join(writer.mount.source, 'a.txt'), 'changed\n');
    const patch = await writer.takePatch(never);
    expect(await workspace.checkout('proof', patch)).toMatchObject({ applied: true });
    expect(contentsOf(workspace.tree)).toEqual({ 'a.txt': 'file secret-later\n' });
  });

  test('a shallow clone works, and its cut is said', async () => {
    const clone = repository(THREE);
    shell(clone, 'git clone -q --depth=2 "file://$PWD" ../other');
    const workspace = await open(join(clone, '../other'));
    expect(workspace.notes).toEqual(['History is cut: it holds the last 2 commits up to the base commit.']);
    expect(shell(workspace.tree, 'git log --format=%s')).toBe('base\nbase');
  });

  test('a partial clone without the files is refused with a remedy, and fetches nothing', async () => {
    const clone = repository(`${THREE} git config uploadpack.allowFilter true`);
    shell(clone, 'git clone -q --bare --filter=blob:none "file://$PWD" ../other');
    await expect(open(join(clone, '../other'))).rejects.toMatchObject({
      code: 'input',
      remedy: expect.stringContaining('--refetch'),
    });
  });

  test('long history with many merges is cut to about the asked number of commits', async () => {
    const commit = (n: number) =>
      `GIT_COMMITTER_DATE="${1_700_000_000 + n * 60} +0000" git commit -q --allow-empty -m ${n}`;
    const lines = Array.from({ length: 12 }, (_, n) => [
      `git checkout -q -b side${n}`,
      commit(3 * n),
      'git checkout -q main',
      commit(3 * n + 1),
      `GIT_COMMITTER_DATE="${1_700_000_000 + (3 * n + 2) * 60} +0000" git merge -q -m m side${n}`,
    ]);
    const clone = repository([`echo 1 > a.txt`, 'git add .', commit(-1), ...lines.flat()].join('\n'));
    const workspace = await open(clone, {}, { historyDepth: 10 });
    const kept = Number(shell(workspace.tree, 'git rev-list --count HEAD'));
    expect(kept).toBeGreaterThanOrEqual(9);
    expect(kept).toBeLessThanOrEqual(12);
    expect(workspace.notes).toEqual([`History is cut: it holds the last ${kept} commits up to the base commit.`]);
    expect(shell(workspace.tree, 'git fsck --connectivity-only 2>&1')).toBe('');
  });

  test('one commit with a wrong clock does not let in all of history', async () => {
    const at = (n: number, date: number) => `GIT_COMMITTER_DATE="@${date} +0000" git commit -q --allow-empty -m ${n}`;
    const commits = Array.from({ length: 200 }, (_, n) => at(n, n === 190 ? 1 : 1_700_000_000 + n * 60));
    const workspace = await open(repository(commits.join('\n')), {}, { historyDepth: 60 });
    expect(Number(shell(workspace.tree, 'git rev-list --count HEAD'))).toBeLessThanOrEqual(70);
  });

  test('submodules and large files are said to be missing', async () => {
    const clone = repository(`git init -q inner; cd inner; echo i > i; ${COMMIT} cd ..; git add inner 2>/dev/null
      printf '[submodule "inner"]\\npath = inner\\nurl = ext::sh -c false\\n' > .gitmodules
      mkdir d; echo '*.dat filter=lfs' > d/.gitattributes${COMMIT}`);
    const workspace = await open(clone);
    expect(workspace.notes).toEqual([
      'Submodules were not fetched: one folder is empty.',
      'Files kept in Git LFS were not fetched: the checkout has their pointers instead of their contents.',
    ]);
    const writer = await workspace.writer('resolver');
    shell(writer.mount.source, 'echo x > inner/x; echo y > d/y');
    const patch = await writer.takePatch(never);
    expect(patch.files.map(({ path }) => path)).toEqual(['d/y']);
    expect(patch.notes).toEqual(['Changes inside a submodule cannot be carried: inner/x.']);
    shell(writer.mount.source, 'rm -r inner');
    expect((await writer.takePatch(never)).files).toHaveLength(1);
  });
});

describe('what cannot be used is said with its place and a remedy', () => {
  const refused = async (path: string, base?: string) => {
    const failure = await open(path, base === undefined ? {} : { base }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InputError);
    return failure instanceof InputError ? failure.problems[0] : undefined;
  };

  test('no such folder', async () => {
    expect(await refused('/nonexistent/x')).toMatchObject({
      source: '/nonexistent/x',
      message: 'there is no such directory',
    });
  });

  test('no repository', async () => {
    const folder = temporaryFolder();
    expect(await refused(folder)).toMatchObject({ source: folder, message: 'this is not a git repository' });
  });

  test('a folder inside a repository', async () => {
    const clone = repository(`mkdir sub; echo 1 > sub/a${COMMIT}`);
    expect((await refused(join(clone, 'sub')))?.remedy).toContain(clone);
  });

  test('an empty repository', async () => {
    expect((await refused(repository('')))?.message).toContain('empty');
    expect((await refused(repository(''), 'main'))?.message).toContain('empty');
  });

  test('a HEAD without a commit', async () => {
    expect((await refused(repository(`${THREE} git checkout -q --orphan new`)))?.message).toContain('HEAD');
  });

  test.each(['nope', '--output=/tmp/x', 'v1..v2', 'HEAD:a.txt', ''])('a base that does not exist: %s', async (base) => {
    const problem = await refused(repository(THREE), base);
    expect(problem?.message).toContain(JSON.stringify(base));
  });

  test('a protected path that is no glob inside the repository', async () => {
    const opened = open(repository(THREE), { protectedPaths: ['docs/**', '../x'] });
    await expect(opened).rejects.toMatchObject({ code: 'input', message: expect.stringContaining('../x') });
  });

  test('a stopped run ends as stopped, and leaves nothing', async () => {
    const dataDir = temporaryFolder();
    const workspaces = createWorkspaces({ dataDir, environment: process.env });
    const request = { run: 'r', repository: { kind: 'local' as const, path: repository(THREE) }, protectedPaths: [] };
    const stopped = AbortSignal.abort(new CancelledError('@alice'));
    await expect(workspaces.open(request, stopped)).rejects.toThrow('stopped by @alice');
    expect(readdirSync(join(dataDir, 'workspaces'))).toEqual([]);
  });
});

describe('the copies of one run', () => {
  test('are apart from each other: a writer and a checkout share no file with the tree', async () => {
    const workspace = await open(repository(THREE));
    const writer = await workspace.writer('resolver');
    const checkout = await workspace.checkout('proof');
    if (!checkout.applied) throw new Error(checkout.reason);
    for (const folder of [workspace.tree, writer.mount.source, checkout.mount.source]) {
      expect(shell(folder, 'find . -type f -links +1')).toBe('');
    }
    expect([await workspace.reader(), writer.mount].map(({ target, readOnly }) => [target, readOnly])).toEqual([
      ['/repo', true],
      ['/repo', false],
    ]);
  });

  test("one agent's change is in no later copy", async () => {
    const workspace = await open(repository(THREE));
    const writer = await workspace.writer('one');
    writeFileSync(join(writer.mount.source, 'a.txt'), 'only in one\n');
    await writer.takePatch(never);
    const other = await workspace.writer('two');
    expect(objectsIn(other.mount.source)).toBe(objectsIn(workspace.tree));
  });

  test.runIf(process.getuid?.() === 0)('belong to the user of the sandbox, .git and all', async () => {
    const workspace = await open(repository(THREE));
    const writer = await workspace.writer('resolver');
    const owners = shell(writer.mount.source, 'find . -printf "%u:%g\\n" | sort -u');
    expect(owners).toBe(shell('/', 'echo "$(id -nu 65534):$(getent group 65534 | cut -d: -f1)"'));
    expect(lstatSync(workspace.tree).uid).toBe(65534);
  });

  test('a patch that does not fit is a value and not an error', async () => {
    const workspace = await open(repository(THREE));
    const writer = await workspace.writer('resolver');
    writeFileSync(join(writer.mount.source, 'a.txt'), 'x\n');
    const patch = await writer.takePatch(never);
    const elsewhere = await open(repository(`echo other > a.txt${COMMIT}`));
    expect(await elsewhere.checkout('proof', patch)).toMatchObject({ applied: false });
    expect(await elsewhere.checkout('proof', { ...patch, base: elsewhere.base })).toEqual({
      applied: false,
      reason: expect.stringContaining('a.txt'),
    });
    const broken = { ...patch, diff: Buffer.from('no patch at all').toString('base64') };
    expect(await workspace.checkout('proof', broken)).toMatchObject({ applied: false });
  });

  test('the tests of a patch can be had alone', async () => {
    const workspace = await open(repository(`mkdir tests; echo 1 > tests/a.txt; echo 1 > b.txt${COMMIT}`));
    const writer = await workspace.writer('resolver');
    shell(writer.mount.source, "echo 2 > tests/a.txt; echo 2 > b.txt; echo 2 > 'tests/[x]*.txt'");
    const checkout = await workspace.checkout('proof', await writer.takePatch(never), 'test');
    if (!checkout.applied) throw new Error(checkout.reason);
    expect(contentsOf(checkout.mount.source)).toEqual({
      'b.txt': 'file 1\n',
      'tests/[x]*.txt': 'file 2\n',
      'tests/a.txt': 'file 2\n',
    });
  });

  test('a patch cannot write into .git or through a link', async () => {
    const clone = repository(`echo 1 > a; ln -s /tmp out${COMMIT}`);
    const workspace = await open(clone);
    const diff = (path: string) =>
      Buffer.from(
        `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`,
      );
    for (const path of ['.git/hooks/x', 'out/fathom-escaped', '../escaped', '/tmp/escaped']) {
      const patch = { base: workspace.base, diff: diff(path).toString('base64'), files: [], left: [], notes: [] };
      expect([path, (await workspace.checkout('proof', patch)).applied]).toEqual([path, false]);
    }
    expect(exists('/tmp/fathom-escaped')).toBe(false);
  });

  test('all go when the run is over, whatever names and modes an agent left', async () => {
    const dataDir = temporaryFolder();
    const workspace = await open(repository(THREE), { run: '../odd run' }, { dataDir });
    const writer = await workspace.writer('../../x');
    expect(writer.mount.source.startsWith(join(dataDir, 'workspaces'))).toBe(true);
    shell(
      writer.mount.source,
      `mkdir -p closed/d $'bad\\377/x'; touch closed/d/f; mkfifo p; chmod 000 closed
      for i in $(seq 300); do mkdir deeeeeeeeeeeeeeeeeep; cd deeeeeeeeeeeeeeeeeep; done; touch end`,
    );
    await workspace.dispose();
    expect(readdirSync(join(dataDir, 'workspaces')).every((name) => name.startsWith('.discarded-'))).toBe(true);
    await workspace.dispose();
    await expect.poll(() => readdirSync(join(dataDir, 'workspaces')), { timeout: 15_000 }).toEqual([]);
  });
});
