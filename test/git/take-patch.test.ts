import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Patch, Patch as PatchSchema } from '#src/domain/patch.ts';
import type { Workspace } from '#src/domain/ports/index.ts';
import { COMMIT, contentsOf, exists, never, open, repository, shell, temporaryFolder } from './repositories.ts';

const BASE = `
printf 'a\\nb\\nc\\n' > text.txt; printf '\\0\\1\\2' > binary.bin; printf 'x\\r\\ny\\r\\n' > crlf.txt
printf 'caf\\351\\n' > latin.txt; printf 'echo hi\\n' > run.sh; seq 50 > long.txt; mkdir lib tests; echo 1 > lib/a.py
echo 2 > tests/test_a.py; printf '*.log\\nbuild/\\n' > .gitignore
ln -s text.txt link; printf k > kept.log; git add -f kept.log${COMMIT}
printf '*.txt text=auto\\n' > .gitattributes; git add .gitattributes; git commit -qm attributes
`;

interface Taken {
  patch: Patch;
  /** Base, base with the patch, and what the agent left in its tree. */
  base: Record<string, string>;
  patched: Record<string, string>;
  agent: Record<string, string>;
}

let shared: Workspace;
const cleaners: (() => void)[] = [];
const atEnd = (clean: () => void) => cleaners.push(clean);
let copies = 0;

beforeAll(async () => {
  shared = await open(repository(BASE, atEnd), {}, { dataDir: temporaryFolder(atEnd) });
});
afterAll(() => {
  for (const clean of cleaners) clean();
});

/** Lets an agent run `script` in its copy and takes its patch; MARKER is a file that no planted command may make. */
async function take(script: string, workspace = shared): Promise<Taken> {
  const marker = join(temporaryFolder(), 'planted');
  copies += 1;
  const writer = await workspace.writer(`resolver-${copies}`);
  shell(writer.mount.source, script, { MARKER: marker });
  const patch = PatchSchema.parse(await writer.takePatch(never));
  const checkout = await workspace.checkout('proof', patch);
  if (!checkout.applied) throw new Error(checkout.reason);
  expect(exists(marker), 'a planted command ran').toBe(false);
  const contents = { base: contentsOf(workspace.tree), patched: contentsOf(checkout.mount.source) };
  return { patch, ...contents, agent: contentsOf(writer.mount.source) };
}

/** Base + patch has the agent's bytes for all that is carried, and base's for everything else. */
function expectCarried({ patch, base, patched, agent }: Taken, expected: Record<string, string>): void {
  expect(Object.fromEntries(patch.files.map(({ path, status }) => [path, status]))).toEqual(expected);
  const changed = new Set(patch.files.flatMap(({ path, previousPath }) => [path, previousPath ?? path]));
  const names = new Set([...Object.keys(base), ...Object.keys(patched), ...changed]);
  for (const name of names) {
    expect([name, patched[name]]).toEqual([name, changed.has(name) ? agent[name] : base[name]]);
  }
}

const CARRIED: [sentence: string, script: string, expected: Record<string, string>][] = [
  ['an agent that changes nothing makes an empty patch', 'touch text.txt', {}],
  ['an edited line is carried', 'echo d >> text.txt', { 'text.txt': 'modified' }],
  ['a missing newline at the end stays missing', 'printf d >> text.txt', { 'text.txt': 'modified' }],
  [
    'binary files are carried, changed and new',
    'head -c 300 /dev/urandom > binary.bin; head -c 99 /dev/urandom > lib/new.bin',
    { 'binary.bin': 'modified', 'lib/new.bin': 'added' },
  ],
  ['a rename is one change with both names', 'git mv long.txt lib/renamed.txt', { 'lib/renamed.txt': 'renamed' }],
  [
    'a rename with an edit keeps the edit',
    'mv long.txt lib/renamed.txt; echo 51 >> lib/renamed.txt',
    { 'lib/renamed.txt': 'renamed' },
  ],
  ['an executable bit is carried', 'chmod +x run.sh', { 'run.sh': 'mode-changed' }],
  [
    'new files need no git add, and empty files count',
    'mkdir -p d/e; echo n > d/e/n.py; touch lib/empty',
    { 'd/e/n.py': 'added', 'lib/empty': 'added' },
  ],
  ['Windows line ends stay as they are', 'printf "z\\r\\n" >> crlf.txt', { 'crlf.txt': 'modified' }],
  ['a change of line ends alone is carried', 'sed -i "s/\\r//" crlf.txt', { 'crlf.txt': 'modified' }],
  ['a new file with Windows line ends keeps them', 'printf "q\\r\\n" > lib/w.txt', { 'lib/w.txt': 'added' }],
  ['bytes that are no UTF-8 survive', 'printf "na\\357f\\n" >> latin.txt', { 'latin.txt': 'modified' }],
  ['deleted files are deleted', 'rm text.txt binary.bin', { 'text.txt': 'deleted', 'binary.bin': 'deleted' }],
  [
    'a link inside of the tree is carried',
    'ln -sf run.sh link; ln -s ../run.sh lib/l',
    { link: 'modified', 'lib/l': 'added' },
  ],
  [
    "the agent's own commits are carried",
    'echo d >> text.txt; git add -A; git commit -qm w',
    { 'text.txt': 'modified' },
  ],
  [
    'a moved HEAD hides nothing',
    'echo d >> text.txt; git checkout -q --orphan other; git commit -qam w',
    { 'text.txt': 'modified' },
  ],
  ['a deleted .git hides nothing', 'echo d >> text.txt; rm -rf .git', { 'text.txt': 'modified' }],
  [
    'a .git that points elsewhere hides nothing',
    'echo d >> text.txt; rm -rf .git; echo "gitdir: /tmp/elsewhere" > .git',
    { 'text.txt': 'modified' },
  ],
  [
    'a .git that is a link hides nothing',
    'echo d >> text.txt; rm -rf .git; ln -s /etc .git',
    { 'text.txt': 'modified' },
  ],
  [
    'info/exclude, assume-unchanged and skip-worktree hide nothing',
    `mkdir -p .git/info; echo '*' > .git/info/exclude; echo n > lib/n.py; git update-index --assume-unchanged text.txt
     git update-index --skip-worktree run.sh; echo d >> text.txt; echo d >> run.sh`,
    { 'lib/n.py': 'added', 'text.txt': 'modified', 'run.sh': 'modified' },
  ],
  [
    "an ignore file of the agent's hides nothing",
    'echo "*" > lib/.gitignore; echo n > lib/new.py; echo d >> lib/a.py',
    { 'lib/.gitignore': 'added', 'lib/new.py': 'added', 'lib/a.py': 'modified' },
  ],
  ['a tracked file that is ignored is carried', 'echo more >> kept.log', { 'kept.log': 'modified' }],
  [
    'a repository made inside is carried as plain files',
    'git init -q lib/sub; echo s > lib/sub/s.py; cd lib/sub; git add -A; git commit -qm s',
    { 'lib/sub/s.py': 'added' },
  ],
  [
    'a tracked folder made a repository is still looked into',
    'git init -q lib; echo s >> lib/a.py; cd lib; git add -A; git commit -qm s',
    { 'lib/a.py': 'modified' },
  ],
  [
    'a folder in the place of a file is carried',
    'rm text.txt; mkdir text.txt; echo q > text.txt/q',
    { 'text.txt': 'deleted', 'text.txt/q': 'added' },
  ],
  ['a file in the place of a folder is carried', 'rm -r lib; echo q > lib', { 'lib/a.py': 'deleted', lib: 'added' }],
  [
    'a file in the place of a link is carried, and a link in that of a file',
    'rm link; echo real > link; rm run.sh; ln -s text.txt run.sh',
    { link: 'modified', 'run.sh': 'modified' },
  ],
  [
    'odd names are carried',
    'cd lib; printf a > \'a b"c\'; printf a > $\'new\\nline\'; printf a > -rf; printf a > ":(top)x"; printf a > "\\u00fc"; printf a > " "',
    {
      'lib/a b"c': 'added',
      'lib/new\nline': 'added',
      'lib/-rf': 'added',
      'lib/:(top)x': 'added',
      'lib/\\u00fc': 'added',
      'lib/ ': 'added',
    },
  ],
  [
    'an edit that keeps size and times is seen',
    'touch -r text.txt r; printf "a\\nX\\nc\\n" > text.txt; touch -r r text.txt; rm r',
    { 'text.txt': 'modified' },
  ],
  [
    'unreadable files are read all the same',
    'echo s > lib/secret; chmod 000 lib/secret text.txt; echo d >> text.txt',
    { 'lib/secret': 'added', 'text.txt': 'modified' },
  ],
  [
    'the same file twice is no trouble',
    'cp text.txt lib/copy.txt; cp text.txt lib/copy2.txt',
    { 'lib/copy.txt': 'added', 'lib/copy2.txt': 'added' },
  ],
];

describe('the patch is what the agent left in its files', () => {
  test.each(CARRIED)('%s', async (_sentence, script, expected) => {
    expectCarried(await take(script), expected);
  });

  test('the working copy given to an agent is base byte for byte', async () => {
    const taken = await take('true');
    expect(taken.agent).toEqual(taken.base);
    expect(taken.base['crlf.txt']).toBe('file x\r\ny\r\n');
  });

  test('an edit in the second of the checkout that keeps the size is seen', async () => {
    const writer = await shared.writer('quick');
    writeFileSync(join(writer.mount.source, 'text.txt'), 'a\nZ\nc\n');
    const patch = await writer.takePatch(never);
    expect(patch.files).toMatchObject([{ path: 'text.txt', added: 1, removed: 1 }]);
  });

  test('counts, modes and kinds are told', async () => {
    const { patch } = await take(
      'echo d >> text.txt; chmod +x run.sh; echo t > tests/test_b.py; printf "\\0" > binary.bin',
    );
    expect(patch.files).toMatchObject([
      { path: 'binary.bin', binary: true, kind: 'source' },
      { path: 'run.sh', status: 'mode-changed', mode: '100755', added: 0 },
      { path: 'tests/test_b.py', status: 'added', kind: 'test', added: 1 },
      { path: 'text.txt', status: 'modified', kind: 'source', added: 1, removed: 0, mode: '100644' },
    ]);
  });

  test('a patch can be taken again and again while the agent goes on', async () => {
    const workspace = await open(repository(BASE));
    const writer = await workspace.writer('resolver');
    shell(writer.mount.source, 'echo d >> text.txt');
    const first = await writer.takePatch(never);
    shell(writer.mount.source, 'git checkout -q text.txt; echo e >> run.sh');
    const second = await writer.takePatch(never);
    expect([first, second].map(({ files }) => files.map(({ path }) => path))).toEqual([['text.txt'], ['run.sh']]);
  });
});

describe('nothing that the agent planted runs or disturbs', () => {
  test('hooks, filters, drivers and monitors in .git/config', async () => {
    const taken = await take(`echo d >> text.txt
      git config core.fsmonitor "touch $MARKER"; git config diff.external "touch $MARKER"
      git config filter.x.clean "touch $MARKER; cat"; git config filter.x.smudge "touch $MARKER; cat"
      git config diff.x.textconv "touch $MARKER; cat"; git config core.hooksPath "$PWD/hooks"; mkdir hooks lib/hooks
      printf '#!/bin/sh\\ntouch %s' "$MARKER" > hooks/post-index-change; chmod +x hooks/post-index-change
      cp hooks/* .git/; git config core.pager "touch $MARKER"; git config core.sshCommand "touch $MARKER"
      rm -rf hooks lib/hooks; printf '* filter=x diff=x\\n' > .gitattributes`);
    expectCarried(taken, { 'text.txt': 'modified' });
    expect(taken.patch.left).toMatchObject([{ path: '.gitattributes', kind: 'protected' }]);
  });

  test('an encoding named by the tree cannot empty the patch', async () => {
    const taken = await take(
      'echo "*.u text working-tree-encoding=UTF-16" >> .gitattributes; printf bad > lib/q.u; echo d >> text.txt',
    );
    expectCarried(taken, { 'lib/q.u': 'added', 'text.txt': 'modified' });
  });

  test('encodings, filters and identifiers that base names make no false change', async () => {
    const taken = await take(
      'echo more >> d.c; echo n >> e.n',
      await open(
        repository(`printf 'caf\\303\\251\\n' > a.u; printf '$Id$\\n' > b.i; printf f > c.f; printf 'x\\n' > d.c; printf n > e.n${COMMIT}
      printf '*.u working-tree-encoding=UTF-16\\n*.i ident\\n*.f filter=x\\n*.c text eol=crlf\\n*.n -diff\\n' > .gitattributes
      git add .gitattributes; git commit -qm attributes`),
      ),
    );
    expectCarried(taken, { 'd.c': 'modified', 'e.n': 'modified' });
    expect(taken.patch.files.map(({ binary }) => binary)).toEqual([false, false]);
  });

  test('large-file pointers stay pointers', async () => {
    const taken = await take(
      'echo "*.dat filter=lfs -text" > lib/.gitattributes; head -c 5000 /dev/urandom > lib/z.dat',
    );
    expectCarried(taken, { 'lib/z.dat': 'added' });
    expect(taken.patch.left.map(({ path }) => path)).toEqual(['lib/.gitattributes']);
  });
});

describe('what is no part of the change is left and said', () => {
  test('ignored files', async () => {
    const taken = await take('mkdir build; echo o > build/o; echo l > a.log; echo d >> text.txt');
    expectCarried(taken, { 'text.txt': 'modified' });
    expect(taken.patch.notes).toEqual(["New files that the repository's .gitignore names were left: a.log, build/o."]);
  });

  test('pipes and sockets', async () => {
    const taken = await take('mkfifo lib/pipe; echo d >> text.txt');
    expectCarried(taken, { 'text.txt': 'modified' });
    expect(taken.patch.notes).toEqual(['Pipes, sockets and devices were left: lib/pipe.']);
  });

  test('links that lead out of the repository, directly or through others', async () => {
    const taken = await take(`ln -sf /etc/shadow link; ln -s ../../outside lib/up; ln -s .. lib/parent
      ln -s parent/../../x lib/twice; ln -s .git/config inside; mkdir lib/d; ln -s ../a.py lib/d/fine`);
    expectCarried(taken, { 'lib/parent': 'added', 'lib/d/fine': 'added' });
    expect(taken.patch.left.map(({ path }) => path).sort()).toEqual(['inside', 'lib/twice', 'lib/up', 'link']);
    expect(taken.patch.notes.join()).toContain('Links that lead out of the repository were left');
  });

  test('names that cannot be committed', async () => {
    const taken =
      await take(`printf a > $'lib/bad\\377'; printf a > 'lib/git~1'; mkdir lib/.GIT; echo x > lib/.GIT/config
      mkdir lib/.git; echo y > lib/.git/y; echo d >> text.txt`);
    expectCarried(taken, { 'text.txt': 'modified' });
    expect(taken.agent['lib/git~1']).toBe('file a');
    expect(taken.patch.left.map(({ path }) => path)).toEqual(['"lib/badÿ"', 'lib/git~1']);
    expect(taken.patch.notes).toHaveLength(3);
  });

  test('protected files, by configuration and always', async () => {
    const script = `mkdir -p .github/workflows sub docs/.x; echo w > .github/workflows/w.yml; echo c > sub/Claude.MD
      echo o > CODEOWNERS; echo d > docs/.x/y; echo l > sub/poetry.lock; echo '*.x' >> .gitattributes; echo a >> lib/a.py`;
    const taken = await take(script, await open(repository(BASE), { protectedPaths: ['docs/**', '**/*.lock'] }));
    expectCarried(taken, { 'lib/a.py': 'modified' });
    expect(taken.patch.left.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual([
      'protected .gitattributes',
      'protected .github/workflows/w.yml',
      'protected CODEOWNERS',
      'protected docs/.x/y',
      'protected sub/Claude.MD',
      'protected sub/poetry.lock',
    ]);
  });

  test('every kind of lock file, and what steers other agents; a person gets their diff apart', async () => {
    const names = [
      'package-lock.json',
      'a/yarn.lock',
      'pnpm-lock.yaml',
      'b/Cargo.lock',
      'go.sum',
      'uv.lock',
      'Gemfile.lock',
    ];
    const steering = ['.npmrc', 'AGENTS.md', 'sub/CLAUDE.md', '.cursor/rules/a.md', '.envrc', '.githooks/pre-commit'];
    const made = [...names, ...steering].map((name) => `mkdir -p "$(dirname ${name})"; echo x > ${name}`).join('\n');
    const taken = await take(`${made}\necho a >> lib/a.py; echo b > lib/lock.json`);
    expectCarried(taken, { 'lib/a.py': 'modified', 'lib/lock.json': 'added' });
    expect(taken.patch.left.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual(
      [...names, ...steering].map((name) => `protected ${name}`).sort(),
    );
    const apart = Buffer.from(taken.patch.protectedDiff ?? '', 'base64').toString();
    expect(apart.match(/^diff --git /gm)).toHaveLength(names.length + steering.length);
    expect(apart).not.toContain('lib/');
  });

  test('workflows of every service, in folders too, and what runs on machines or steers agents further down', async () => {
    const names = [
      ...['.woodpecker/ci.yml', '.gitea/workflows/x.yml', '.forgejo/workflows/x.yml', '.semaphore/semaphore.yml'],
      ...['azure-pipelines/x.yml', 'ci/Jenkinsfile', '.tekton/p.yaml', '.builds/x.yml', 'buildspec.yml', '.zuul.yaml'],
      ...['.roo/rules/x.md', 'lib/.claude/settings.json', 'lib/.cursor/rules/x.mdc', 'lib/.mcp.json', 'opencode.json'],
      ...['lib/.envrc', 'lib/.vscode/tasks.json', '.yarn/releases/yarn.cjs', '.cargo/config.toml', '.mvn/jvm.config'],
    ];
    const made = names.map((name) => `mkdir -p "$(dirname ${name})"; echo x > ${name}`).join('\n');
    const taken = await take(
      `${made}\nmkdir docs-a; echo d > docs-a/b; echo a >> lib/a.py`,
      await open(repository(BASE), { protectedPaths: ['docs-*'] }),
    );
    expectCarried(taken, { 'lib/a.py': 'modified' });
    expect(taken.patch.left.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual(
      [...names, 'docs-a/b'].map((name) => `protected ${name}`).sort(),
    );
  });

  test('a file in Git LFS, of which the agent saw a pointer', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\\noid sha256:0\\nsize 3\\n';
    const script = `echo l > lib.txt; printf '${pointer}' > big.bin; printf '${pointer}' > old.bin; echo '*.bin filter=lfs' > .gitattributes${COMMIT}`;
    const taken = await take('echo a >> lib.txt; echo real > big.bin; rm old.bin', await open(repository(script)));
    expectCarried(taken, { 'lib.txt': 'modified', 'old.bin': 'deleted' });
    expect(taken.patch.left).toMatchObject([{ path: 'big.bin', kind: 'scratch' }]);
    expect(taken.patch.notes.join()).toContain('Files in Git LFS are here without their contents');
  });

  test('a protected file cannot be pushed away by another in its place', async () => {
    const taken = await take('rm .gitattributes; mkdir .gitattributes; echo x > .gitattributes/x; echo a >> lib/a.py');
    expectCarried(taken, { 'lib/a.py': 'modified' });
    expect(taken.patch.left.map(({ kind }) => kind)).toEqual(['protected', 'protected']);
  });

  test('a protected file cannot be moved away', async () => {
    const taken = await take(
      'git mv lib/a.py lib/b.py',
      await open(repository(BASE), { protectedPaths: ['lib/a.py'] }),
    );
    expectCarried(taken, { 'lib/b.py': 'added' });
    expect(taken.patch.left).toMatchObject([{ path: 'lib/a.py', status: 'deleted', kind: 'protected' }]);
  });

  test("the agent's working files", async () => {
    const taken =
      await take(`echo p > repro.py; echo t > test_fix.py; echo o > lib/a.py.orig; echo r > x.rej; echo b > n.out
      mkdir -p lib/__pycache__ node_modules/m; echo c > lib/__pycache__/a.pyc; echo m > node_modules/m/i.js
      echo t > tests/test_new.py; echo a >> lib/a.py`);
    expectCarried(taken, { 'lib/a.py': 'modified', 'tests/test_new.py': 'added' });
    expect(taken.patch.left.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual([
      'scratch lib/__pycache__/',
      'scratch lib/a.py.orig',
      'scratch n.out',
      'scratch node_modules/',
      'scratch repro.py',
      'scratch test_fix.py',
      'scratch x.rej',
    ]);
  });

  test('but not the first test of a repository that has none, wherever it stands', async () => {
    const bare = await open(repository(`mkdir lib; echo 1 > lib/a.py${COMMIT}`));
    const taken = await take('echo t > test_a.py; echo p > repro.py; echo a >> lib/a.py', bare);
    expectCarried(taken, { 'lib/a.py': 'modified', 'test_a.py': 'added' });
    expect(taken.patch.files.find(({ path }) => path === 'test_a.py')).toMatchObject({ kind: 'test' });
    expect(taken.patch.notes).toEqual([]);
  });

  test('but not a new file that the change itself uses', async () => {
    const taken = await take('echo p > check.py; echo "from check import p" > lib/a.py');
    expectCarried(taken, { 'check.py': 'added', 'lib/a.py': 'modified' });
  });

  test('folders that an installation or a build filled, and nothing else', async () => {
    const taken = await take(`mkdir -p env/lib out; for n in $(seq 600); do echo $n > env/lib/$n.py; done
      echo o > out/o; echo n > lib/n.py; echo t > tests/test_n.py`);
    expectCarried(taken, { 'lib/n.py': 'added', 'out/o': 'added', 'tests/test_n.py': 'added' });
    expect(taken.patch.left).toMatchObject([{ path: 'env/', kind: 'scratch' }]);
    expect(taken.patch.notes).toEqual(['Folders with too many new files to be a repair were left: env/.']);
  });

  test('folders nested deeper than a path can name', async () => {
    const workspace = await open(repository(BASE));
    const writer = await workspace.writer('resolver');
    shell(
      writer.mount.source,
      'echo d >> text.txt; for i in $(seq 300); do mkdir deeeeeeeeeeeeeep; cd deeeeeeeeeeeeeep; done',
    );
    const patch = await writer.takePatch(never);
    expect(patch.files.map(({ path }) => path)).toEqual(['text.txt']);
    expect(patch.notes.join()).toContain('Not readable');
    await workspace.dispose();
  });

  test('changes that together are too large to review, the largest first', async () => {
    const taken = await take(`echo a >> lib/a.py; for i in 1 2 3; do yes '' | head -c 150000 > lib/new$i.py; done
      yes '' | head -c 9000000 > text.txt`);
    expectCarried(taken, { 'lib/a.py': 'modified', 'lib/new1.py': 'added' });
    expect(taken.patch.left.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual([
      'scratch lib/new2.py',
      'scratch lib/new3.py',
      'scratch text.txt',
    ]);
    expect(taken.patch.notes).toEqual([
      'Changes too large for anybody to review were left: lib/new2.py, lib/new3.py, text.txt.',
    ]);
  });

  test('files too large to read, without reading them', async () => {
    const taken = await take('truncate -s 900G lib/huge.bin; truncate -s 800G text.txt; echo a >> lib/a.py');
    expect(taken.patch.files.map(({ path }) => path)).toEqual(['lib/a.py']);
    expect(taken.patch.left).toMatchObject([
      { path: 'lib/huge.bin', status: 'added' },
      { path: 'text.txt', status: 'modified' },
    ]);
  });
});
