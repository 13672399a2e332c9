import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvironmentError } from '../domain/errors.ts';
import { diffBytes, type Patch } from '../domain/patch.ts';

export interface StoredFile {
  /** `100644`, `100755`, or `120000` for a link, whose content is its target. */
  mode: string;
  content: Buffer;
}
/** A file as the patch leaves it; no `file` where it deletes it. `sha` is git's name of the content. */
export interface PatchedFile {
  path: string;
  after: (StoredFile & { sha: string }) | undefined;
}

/**
 * What each file of the patch becomes, byte for byte. Git itself applies it, to an index that holds the files of base
 * and nothing else, in an empty repository that is removed again: there is no work tree, hook, filter or attribute.
 *
 * @param before the file at the base commit, or undefined where there is none
 * @param options `path`: the folders in which git is looked for, as in the variable of that name
 * @returns undefined when the patch does not apply to these files
 */
export async function patchedFiles(
  patch: Patch,
  before: (path: string) => Promise<StoredFile | undefined>,
  options: { path: string; signal: AbortSignal },
): Promise<PatchedFile[] | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'fathom-proposal-'));
  try {
    const git = gitIn(folder, options.path, options.signal);
    await need(git(['init', '--quiet', '--bare', '.']));
    const paths = patch.files.flatMap((file) => [file.path, ...(file.previousPath ? [file.previousPath] : [])]);
    const unique = [...new Set(paths)];
    await stage(git, unique, before);
    const applied = await git(['apply', '--cached', '--binary', '--whitespace=nowarn', '-'], diffBytes(patch));
    if (applied.code !== 0) return undefined;
    return await readIndex(git, unique);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Ran {
  code: number | null;
  output: Buffer;
}
type Git = (args: string[], input?: Buffer) => Promise<Ran>;

async function stage(git: Git, paths: string[], before: Parameters<typeof patchedFiles>[1]): Promise<void> {
  const lines: string[] = [];
  for (const path of paths) {
    const file = await before(path);
    if (file === undefined) continue;
    const sha = (await need(git(['hash-object', '-w', '--stdin'], file.content))).toString().trim();
    lines.push(`${file.mode} ${sha}\t${path}\0`);
  }
  await need(git(['update-index', '-z', '--index-info'], Buffer.from(lines.join(''))));
}

async function readIndex(git: Git, touched: string[]): Promise<PatchedFile[]> {
  const listed = (await need(git(['ls-files', '-s', '-z']))).toString().split('\0');
  const entries = new Map<string, { mode: string; sha: string }>();
  for (const line of listed) {
    const tab = line.indexOf('\t');
    const [mode = '', sha = ''] = line.slice(0, tab).split(' ');
    if (tab > 0) entries.set(line.slice(tab + 1), { mode, sha });
  }
  const files: PatchedFile[] = [];
  for (const path of new Set([...touched, ...entries.keys()])) {
    const entry = entries.get(path);
    const content = entry && (await need(git(['cat-file', 'blob', entry.sha])));
    files.push({ path, after: entry && content && { ...entry, content } });
  }
  return files;
}

function gitIn(folder: string, searchPath: string, signal: AbortSignal): Git {
  const nothing = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_ATTR_NOSYSTEM: '1', HOME: folder };
  const env = { ...nothing, PATH: searchPath, LC_ALL: 'C', GIT_DIR: folder };
  return (args, input) =>
    new Promise((resolve, reject) => {
      const child = spawn('git', args, { cwd: folder, env, signal, stdio: ['pipe', 'pipe', 'ignore'] });
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      child.on('error', (error) => reject(signal.aborted ? signal.reason : unavailable(error)));
      child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks) }));
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
    });
}

async function need(running: Promise<Ran>): Promise<Buffer> {
  const { code, output } = await running;
  if (code === 0) return output;
  throw unavailable(new Error(`git ended with ${code}`));
}

const unavailable = (cause: unknown): EnvironmentError =>
  new EnvironmentError('git', 'git could not prepare the commit.', 'Check git and the temporary folder.', { cause });
