import type { EmulatorClient } from './emulator-client.ts';
import { type GitObject, git, parseTree, readObjects, type TreeEntry, treeBytes, writeObject } from './git-objects.ts';

interface Identity {
  name: string;
  email: string;
  date: string;
}
interface ApiCommit {
  sha: string;
  message: string;
  tree: { sha: string };
  parents: { sha: string }[];
  author: Identity;
  committer: Identity;
}

/**
 * Keeps a bare repository and the emulator's git objects the same, by the same SHAs. Tags, submodules and signed commits
 * are not carried over: they raise an error.
 */
export interface GitBridge {
  /** Copies what `branch` of the bare repository reaches into the emulator. */
  toEmulator(fullName: string, folder: string, branch: string): Promise<void>;
  /** Copies what `branch` of the emulator reaches into the bare repository; a branch that is gone there goes here. */
  toFolder(fullName: string, folder: string, branch: string): Promise<void>;
}

export function createGitBridge(client: EmulatorClient): GitBridge {
  const known = new Map<string, Set<string>>();
  const knownIn = (fullName: string): Set<string> => {
    const set = known.get(fullName) ?? new Set<string>();
    known.set(fullName, set);
    return set;
  };
  return {
    toEmulator: (fullName, folder, branch) => toEmulator(client, knownIn(fullName), fullName, folder, branch),
    toFolder: (fullName, folder, branch) => toFolder(client, knownIn(fullName), fullName, folder, branch),
  };
}

async function toEmulator(
  client: EmulatorClient,
  known: Set<string>,
  fullName: string,
  folder: string,
  branch: string,
): Promise<void> {
  const objects = await readObjects(folder);
  const shas = (await git(folder, ['rev-list', '--reverse', '--topo-order', branch])).trim().split('\n');
  for (const sha of shas) {
    if (!known.has(sha)) await sendCommit(client, known, fullName, objects, sha);
  }
  const tip = shas.at(-1);
  const ref = `/repos/${fullName}/git/refs`;
  const there = await client.call('GET', `/repos/${fullName}/git/ref/heads/${branch}`);
  if (there.status === 200) await client.need('PATCH', `${ref}/heads/${branch}`, { sha: tip, force: true });
  else await client.need('POST', ref, { ref: `refs/heads/${branch}`, sha: tip });
}

async function sendCommit(
  client: EmulatorClient,
  known: Set<string>,
  fullName: string,
  objects: Map<string, GitObject>,
  sha: string,
): Promise<void> {
  const commit = parseCommit(sha, objects.get(sha)?.bytes ?? Buffer.alloc(0));
  await sendTree(client, known, fullName, objects, commit.tree);
  const made = await client.need<{ sha: string }>('POST', `/repos/${fullName}/git/commits`, commit);
  if (made.sha !== sha) throw new Error(`commit ${sha} became ${made.sha} in the emulator`);
  known.add(sha);
}

async function sendTree(
  client: EmulatorClient,
  known: Set<string>,
  fullName: string,
  objects: Map<string, GitObject>,
  sha: string,
): Promise<void> {
  if (known.has(sha)) return;
  const entries = parseTree(objects.get(sha)?.bytes ?? Buffer.alloc(0));
  for (const entry of entries) {
    if (known.has(entry.sha)) continue;
    if (entry.type === 'tree') await sendTree(client, known, fullName, objects, entry.sha);
    if (entry.type === 'blob') {
      const content = objects.get(entry.sha)?.bytes.toString('base64') ?? '';
      await client.need('POST', `/repos/${fullName}/git/blobs`, { content, encoding: 'base64' });
      known.add(entry.sha);
    }
  }
  const made = await client.need<{ sha: string }>('POST', `/repos/${fullName}/git/trees`, { tree: entries });
  if (made.sha !== sha) throw new Error(`tree ${sha} became ${made.sha} in the emulator`);
  known.add(sha);
}

function parseCommit(sha: string, bytes: Buffer) {
  const text = bytes.toString();
  const end = text.indexOf('\n\n');
  const headers = text.slice(0, end).split('\n');
  const of = (name: string) =>
    headers.filter((line) => line.startsWith(`${name} `)).map((l) => l.slice(name.length + 1));
  const expected = of('tree').length + of('parent').length + of('author').length + of('committer').length;
  if (expected !== headers.length) throw new Error(`commit ${sha} has headers that the emulator cannot hold`);
  return {
    message: text.slice(end + 2),
    tree: of('tree')[0] ?? '',
    parents: of('parent'),
    author: parseIdentity(of('author')[0] ?? ''),
    committer: parseIdentity(of('committer')[0] ?? ''),
  };
}

/** `name <mail> seconds +hhmm`; the date keeps its offset, because the SHA holds it. */
function parseIdentity(line: string): Identity {
  const close = line.lastIndexOf('> ');
  const open = line.lastIndexOf(' <', close);
  const [seconds = '0', offset = '+0000'] = line.slice(close + 2).split(' ');
  const minutes = (offset.startsWith('-') ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3)));
  const local = new Date((Number(seconds) + minutes * 60) * 1000).toISOString().slice(0, 19);
  return {
    name: line.slice(0, open),
    email: line.slice(open + 2, close),
    date: `${local}${offset.slice(0, 3)}:${offset.slice(3)}`,
  };
}

async function toFolder(
  client: EmulatorClient,
  known: Set<string>,
  fullName: string,
  folder: string,
  branch: string,
): Promise<void> {
  const ref = await client.call<{ object: { sha: string } }>('GET', `/repos/${fullName}/git/ref/heads/${branch}`);
  if (ref.status === 404) {
    await git(folder, ['update-ref', '-d', `refs/heads/${branch}`]);
    return;
  }
  await takeCommit(client, known, fullName, folder, ref.data.object.sha);
  await git(folder, ['update-ref', `refs/heads/${branch}`, ref.data.object.sha]);
}

async function takeCommit(
  client: EmulatorClient,
  known: Set<string>,
  fullName: string,
  folder: string,
  sha: string,
): Promise<void> {
  if (known.has(sha)) return;
  const commit = await client.need<ApiCommit>('GET', `/repos/${fullName}/git/commits/${sha}`);
  for (const parent of commit.parents) await takeCommit(client, known, fullName, folder, parent.sha);
  await takeTree(client, known, fullName, folder, commit.tree.sha);
  const parents = commit.parents.map((parent) => `parent ${parent.sha}\n`).join('');
  const people = `author ${identityLine(commit.author)}\ncommitter ${identityLine(commit.committer)}\n`;
  const message = commit.message.endsWith('\n') ? commit.message : `${commit.message}\n`;
  const bytes = Buffer.from(`tree ${commit.tree.sha}\n${parents}${people}\n${message}`);
  await keep(known, folder, 'commit', bytes, sha);
}

async function takeTree(
  client: EmulatorClient,
  known: Set<string>,
  fullName: string,
  folder: string,
  sha: string,
): Promise<void> {
  if (known.has(sha)) return;
  const tree = await client.need<{ tree: TreeEntry[] }>('GET', `/repos/${fullName}/git/trees/${sha}`);
  for (const entry of tree.tree) {
    if (known.has(entry.sha)) continue;
    if (entry.type === 'tree') await takeTree(client, known, fullName, folder, entry.sha);
    if (entry.type === 'blob') {
      const blob = await client.need<{ content: string }>('GET', `/repos/${fullName}/git/blobs/${entry.sha}`);
      await keep(known, folder, 'blob', Buffer.from(blob.content, 'base64'), entry.sha);
    }
  }
  await keep(known, folder, 'tree', treeBytes(tree.tree), sha);
}

async function keep(known: Set<string>, folder: string, type: GitObject['type'], bytes: Buffer, sha: string) {
  const written = await writeObject(folder, type, bytes);
  if (written !== sha) throw new Error(`${type} ${sha} of the emulator became ${written} in git`);
  known.add(sha);
}

function identityLine(who: Identity): string {
  const offset = /([+-]\d\d):?(\d\d)$/.exec(who.date);
  const zone = offset === null ? '+0000' : `${offset[1]}${offset[2]}`;
  return `${who.name} <${who.email}> ${Math.floor(Date.parse(who.date) / 1000)} ${zone}`;
}
