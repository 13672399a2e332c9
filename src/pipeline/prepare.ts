import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { FathomError } from '../domain/errors.ts';
import type { Workspace } from '../domain/ports/workspaces.ts';
import { renderIssue } from '../issue/render-issue.ts';
import type { Repository } from '../repository/repository.ts';
import type { Prepared } from './artefacts.ts';
import type { RunContext } from './run-context.ts';

const configPath = '.github/fathom.yml';
const configBytes = 1024 * 1024;
const suspectLimit = 10;

/** Stage 1: what a reader would see of the issue, the settings that hold for this repository, the lexical ranking. */
export async function prepare(context: RunContext, workspace: Workspace, repository: Repository): Promise<Prepared> {
  const { run, ports } = context;
  const configured = await readBounded(join(workspace.tree, configPath));
  const settings = ports.repositorySettings(configured, run.settings);
  const issue = renderIssue(run.snapshot, await repository.issueTemplates());
  const ranked = await rank(repository, issue.text);
  return {
    base: workspace.base,
    settings,
    issue,
    suspects: ranked.suspects,
    notes: [...(ports.repositoryNotes?.(configured, run.settings) ?? []), ...workspace.notes, ...ranked.notes],
  };
}

/** The ranking is a hint: a repository that cannot be read in time is diagnosed without it. */
async function rank(repository: Repository, text: string): Promise<Pick<Prepared, 'suspects' | 'notes'>> {
  try {
    return { suspects: await repository.rank(text, suspectLimit), notes: [] };
  } catch (error) {
    if (!(error instanceof FathomError)) throw error;
    return { suspects: [], notes: [`The files were not ranked: ${error.message}`] };
  }
}

/** The file's text, or undefined where there is none. A link is not followed: it may point out of the repository. */
async function readBounded(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (!file) return undefined;
  try {
    if (!(await file.stat()).isFile()) return undefined;
    const buffer = Buffer.alloc(configBytes);
    const { bytesRead } = await file.read(buffer, 0, configBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
