import { join } from 'node:path';
import { diffBytes, type FileKind, type Patch } from '../domain/patch.ts';
import type { AppliedCheckout, Mount, Workspace, WriterCopy } from '../domain/ports/index.ts';
import { handOver, makeCheckout, type Pristine } from './checkout-copy.ts';
import { discardTree } from './discard-tree.ts';
import { withDiskTrouble } from './disk-trouble.ts';
import { ANY_EXIT, type Git } from './git-command.ts';
import { removeTree } from './remove-tree.ts';
import { folderName } from './run-folder.ts';
import { takePatch } from './take-patch.ts';

export interface WorkspaceParts {
  git: Git;
  /** Everything of this run is below it. */
  folder: string;
  pristine: Pristine;
  notes: string[];
  protectedPaths: string[];
  /** The run's; copies stop being made when it is aborted. */
  signal: AbortSignal;
}

const TARGET = '/repo';

export const treeOf = (folder: string): string => join(folder, 'tree');
export const ignoreRulesOf = (folder: string): string => join(folder, 'ignore-rules');

/** The copies of one run, all made from its pristine git directory. */
export function createWorkspace(parts: WorkspaceParts): Workspace {
  const { folder, pristine, notes } = parts;
  const guarded = <T>(action: () => Promise<T>) => withDiskTrouble(folder, action);
  return {
    base: pristine.base,
    tree: treeOf(folder),
    notes,
    reader: async () => mountOf(treeOf(folder), true),
    writer: (name) => guarded(() => makeWriter(parts, folderName(name))),
    checkout: (name, patch, only) => guarded(() => makeProofCheckout(parts, folderName(name), patch, only)),
    dispose: () => guarded(() => discardTree(folder)),
  };
}

const mountOf = (source: string, readOnly: boolean): Mount => ({ kind: 'bind', source, target: TARGET, readOnly });

async function makeWriter(parts: WorkspaceParts, name: string): Promise<WriterCopy> {
  const { git, folder, pristine, protectedPaths, signal } = parts;
  const tree = join(folder, 'writers', name);
  await makeCheckout(git, pristine, tree, signal);
  await handOver(git, pristine, tree, 'write', signal);
  const request = {
    pristine,
    tree,
    ignoreRules: ignoreRulesOf(folder),
    protectedPaths,
    scratch: join(folder, 'takes'),
  };
  return {
    mount: mountOf(tree, false),
    takePatch: (signal) => withDiskTrouble(folder, () => takePatch(git, request, signal)),
  };
}

async function makeProofCheckout(
  parts: WorkspaceParts,
  name: string,
  patch?: Patch,
  only?: FileKind,
): Promise<AppliedCheckout> {
  const { git, folder, pristine, signal } = parts;
  if (patch !== undefined && patch.base !== pristine.base) {
    return { applied: false, reason: `The patch was made for ${patch.base}, and the base commit is ${pristine.base}.` };
  }
  const tree = join(folder, 'checkouts', name);
  await makeCheckout(git, pristine, tree, signal);
  const reason = patch === undefined ? undefined : await applyPatch(git, tree, patch, only, signal);
  if (reason !== undefined) {
    await removeTree(tree);
    return { applied: false, reason };
  }
  await handOver(git, pristine, tree, 'write', signal);
  return { applied: true, mount: mountOf(tree, false) };
}

/** @returns why it does not apply, or undefined when it did. */
async function applyPatch(
  git: Git,
  tree: string,
  patch: Patch,
  only: FileKind | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const input = diffBytes(patch);
  const files = patch.files.filter((file) => file.kind === only);
  if (input.length === 0 || (only !== undefined && files.length === 0)) return undefined;
  const where = { gitDir: join(tree, '.git'), workTree: tree, cwd: tree, input };
  const chosen = only === undefined ? [] : files.map((file) => `--include=${literally(file.path)}`);
  const args = ['apply', '--index', '--binary', '--whitespace=nowarn', ...chosen];
  const check = await git({ ...where, args: [...args, '--check'], accept: ANY_EXIT }, signal);
  if (check.code !== 0) return `The patch does not apply to the base commit: ${check.complaint}`;
  await git({ ...where, args }, signal);
  return undefined;
}

/** `--include` takes a pattern; a path is to match itself and nothing else. */
const literally = (path: string): string => path.replaceAll(/[\\*?[]/g, '\\$&');
