import { z } from 'zod';
import { FathomError } from '../../domain/errors.ts';
import type { RunSettings } from '../../domain/settings.ts';
import type { PromptSet } from '../../prompts/load-prompts.ts';
import { untrustedBlock } from '../../prompts/untrusted.ts';
import type { Readable, RepositoryReader } from '../repository-reader.ts';
import type { SeenLines } from './seen-lines.ts';
import { type AgentTool, defineTool } from './tool.ts';

type ToolName = RunSettings['localizerTools'][number];

const TREE_TOKENS = 8000;
const line = z.coerce.number().int().min(1).max(10_000_000).optional();
const path = z.string().trim().min(1);

/** SHERLOC's tools (§3.2), those of `names`, over one checkout. What they show of files is noted in `seen`. */
export function repositoryTools(
  names: ToolName[],
  repository: RepositoryReader,
  prompts: PromptSet,
  seen: SeenLines,
): AgentTool[] {
  const makers: Record<ToolName, (repository: RepositoryReader, prompts: PromptSet, seen: SeenLines) => AgentTool> = {
    view_file: viewFile,
    codebase_search: codebaseSearch,
    repo_tree: repoTree,
    connected_tree: connectedTree,
  };
  return [...new Set(names)].map((name) => makers[name](repository, prompts, seen));
}

function viewFile(repository: RepositoryReader, prompts: PromptSet, seen: SeenLines): AgentTool {
  const view = viewWithImportsOnce(repository, seen);
  return defineTool({
    name: 'view_file',
    description: prompts.render('tools/view-file'),
    schema: z.object({ path, startLine: line, endLine: line }),
    repeatsAreUseless: true,
    doing: (args) =>
      `view ${args.path}${args.startLine === undefined ? '' : `:${args.startLine}-${args.endLine ?? ''}`}`,
    run: (args) => read(view(args.path, rangeOf(args))),
  });
}

/**
 * What a file imports is shown with the first view of it alone: a conversation opens the same file many times. The call
 * that showed it shows it again, so that the same call has the same result.
 */
function viewWithImportsOnce(repository: RepositoryReader, seen: SeenLines) {
  const shownBy = new Map<string, string>();
  return async (file: string, range: ReturnType<typeof rangeOf>): Promise<Readable> => {
    const call = JSON.stringify([file, range]);
    const shown = [...shownBy].flatMap(([path, by]) => (by === call ? [] : [path]));
    const view = await repository.view(file, range, { withoutImportsOf: shown });
    if (view.path !== undefined && !shownBy.has(view.path)) shownBy.set(view.path, call);
    if (view.path !== undefined && view.range !== undefined) seen.add({ path: view.path, ...view.range });
    return view;
  };
}

// One bound alone opens a window from there, so that a model need not know how long a file is.
const WINDOW = 200;

function rangeOf(args: { startLine?: number | undefined; endLine?: number | undefined }) {
  const { startLine, endLine } = args;
  if (startLine === undefined && endLine === undefined) return undefined;
  const start = startLine ?? Math.max(1, (endLine ?? 1) - WINDOW);
  return { startLine: start, endLine: Math.max(start, endLine ?? start + WINDOW) };
}

function codebaseSearch(repository: RepositoryReader, prompts: PromptSet, seen: SeenLines): AgentTool {
  const search = async (query: string, path: string | undefined) => {
    const result = await repository.search(query, path === undefined ? {} : { path });
    for (const span of result.shown ?? []) seen.add(span);
    return result;
  };
  return defineTool({
    name: 'codebase_search',
    description: prompts.render('tools/codebase-search'),
    schema: z.object({ query: z.string().min(1), path: path.optional() }),
    repeatsAreUseless: true,
    doing: (args) => `search "${args.query.slice(0, 80)}"`,
    run: (args) => read(search(args.query, args.path)),
  });
}

function repoTree(repository: RepositoryReader, prompts: PromptSet): AgentTool {
  return defineTool({
    name: 'repo_tree',
    description: prompts.render('tools/repo-tree'),
    schema: z.object({}),
    repeatsAreUseless: true,
    doing: () => 'list the files',
    run: () => read(repository.tree({ maxTokens: TREE_TOKENS })),
  });
}

function connectedTree(repository: RepositoryReader, prompts: PromptSet): AgentTool {
  return defineTool({
    name: 'connected_tree',
    description: prompts.render('tools/connected-tree'),
    schema: z.object({ path: path.optional() }),
    repeatsAreUseless: true,
    doing: (args) => `imports of ${args.path ?? 'the repository'}`,
    run: (args) => read(repository.connected(args.path)),
  });
}

/** A reading that failed (a file too large, out of time) is something the model can go round. */
async function read(reading: Promise<Readable>): Promise<string> {
  try {
    return untrustedBlock((await reading).text, 'repository');
  } catch (error) {
    if (error instanceof FathomError) return `${error.message}\n${error.remedy}`;
    throw error;
  }
}
