import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Workspace, WorkspaceRequest, Workspaces } from '../domain/ports/index.ts';
import { unlessAborted } from '../domain/unless-aborted.ts';
import { handOver, makeCheckout, type Pristine } from './checkout-copy.ts';
import { withDiskTrouble } from './disk-trouble.ts';
import { createGit, type Git } from './git-command.ts';
import { type BaseSource, findLocalBase } from './local-source.ts';
import { type RemoteSource, updateMirror } from './mirror.ts';
import { buildPristine } from './pristine.ts';
import { checkProtectedPaths } from './protected-paths.ts';
import { removeTree } from './remove-tree.ts';
import { folderName, mirrorsFolder, workspacesFolder } from './run-folder.ts';
import { withCredential } from './with-credential.ts';
import { createWorkspace, ignoreRulesOf, treeOf } from './workspace.ts';

export interface WorkspacesOptions {
  /** Mirrors and workspaces are kept here; on a file system that the Docker Engine can see. */
  dataDir: string;
  /** The process's environment: PATH, proxies and certificates reach git, and nothing else does. */
  environment?: Record<string, string | undefined>;
  log?: { info(fields: object, message: string): void };
  /** The header (`Authorization: …`) that lets git read a remote repository. Asked for when needed, never stored. */
  credential?: (source: RemoteSource) => Promise<{ header: string } | undefined>;
  /** Who the user of sandboxes is on this host, where the engine maps users of containers to others. */
  sandboxUid?: () => Promise<number | undefined>;
  /** About how many commits of history lead up to the base commit; 300 when absent. */
  historyDepth?: number;
}

interface Context {
  git: Git;
  dataDir: string;
  commits: number;
  options: WorkspacesOptions;
  /** Two runs on one mirror take turns. */
  inTurn: ReturnType<typeof createTurns>;
}

const DEFAULT_HISTORY_DEPTH = 300;

/**
 * Workspaces on this machine's git. Nothing that a repository or an agent's tree configures is obeyed: no hooks, filters,
 * drivers, file system monitors, submodules, or transports other than file (local) and http (remote).
 */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const dataDir = resolve(options.dataDir);
  const git = createGit(options.environment ?? {});
  const commits = options.historyDepth ?? DEFAULT_HISTORY_DEPTH;
  const context = { git, dataDir, commits, options, inTurn: createTurns() };
  return {
    open: async (request, signal) => {
      const started = performance.now();
      const workspace = await withDiskTrouble(dataDir, () => openFresh(context, request, signal));
      const milliseconds = Math.round(performance.now() - started);
      options.log?.info({ run: request.run, base: workspace.base, milliseconds }, 'workspace opened');
      return workspace;
    },
  };
}

async function openFresh(context: Context, request: WorkspaceRequest, signal: AbortSignal): Promise<Workspace> {
  checkProtectedPaths(request.protectedPaths);
  const folder = join(workspacesFolder(context.dataDir), folderName(request.run));
  await removeTree(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    return await fill(context, folder, request, signal);
  } catch (error) {
    await removeTree(folder).catch(() => {});
    throw error;
  }
}

async function fill(
  context: Context,
  folder: string,
  request: WorkspaceRequest,
  signal: AbortSignal,
): Promise<Workspace> {
  const { git, commits } = context;
  const { protectedPaths } = request;
  const gitDir = join(folder, 'pristine.git');
  const { base, notes } = await withBase(context, request, signal, async (source) => {
    const notes = await buildPristine(git, gitDir, source, commits, signal);
    return { base: source.base, notes: [...source.notes, ...notes] };
  });
  const pristine = { gitDir, base, uid: await context.options.sandboxUid?.() };
  await makeCheckout(git, pristine, treeOf(folder), signal);
  await layIgnoreRules(git, folder, pristine, signal);
  await handOver(git, pristine, treeOf(folder), 'read', signal);
  return createWorkspace({ git, folder, pristine, notes, protectedPaths, signal });
}

/** Finds where the base commit is and lets `use` take it from there, before anybody else changes a mirror. */
async function withBase<T>(
  context: Context,
  { repository, base }: WorkspaceRequest,
  signal: AbortSignal,
  use: (source: BaseSource) => Promise<T>,
): Promise<T> {
  const { git, dataDir, commits, options } = context;
  if (repository.kind === 'local') return use(await findLocalBase(git, resolve(repository.path), base, signal));
  const bring = (header?: string) =>
    updateMirror(git, mirrorsFolder(dataDir), { source: repository, base, commits, header }, signal);
  const { credential } = options;
  // Only in its turn, as a token may end while others clone.
  return context.inTurn(repository.url, signal, async () =>
    use(credential === undefined ? await bring() : await withCredential(bring, () => credential(repository), signal)),
  );
}

/** Base's ignore rules alone, so that no link of the tree is in the way when git is asked about a path. */
async function layIgnoreRules(git: Git, folder: string, pristine: Pristine, signal: AbortSignal): Promise<void> {
  const rules = ignoreRulesOf(folder);
  const where = { gitDir: pristine.gitDir, indexFile: join(treeOf(folder), '.git/index') };
  await mkdir(rules, { recursive: true });
  const listed = await git({ ...where, args: ['ls-files', '-z', '--', ':(top,glob)**/.gitignore'] }, signal);
  const args = ['checkout-index', '-z', '--stdin', '--force', `--prefix=${rules}/`];
  await git({ ...where, workTree: rules, cwd: rules, args, input: listed.stdout }, signal);
}

/** Who is told to stop while waiting stops waiting; the next in line then waits for the one before. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(key: string, signal: AbortSignal, action: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve();
    const turn = unlessAborted(before, signal).then(action);
    const over = Promise.allSettled([before, turn]);
    last.set(key, over);
    try {
      return await turn;
    } finally {
      void over.then(() => last.get(key) === over && last.delete(key));
    }
  };
}
