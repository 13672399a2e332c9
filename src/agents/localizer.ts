import { FathomError } from '../domain/errors.ts';
import type { Localization, Suspect } from '../domain/finding.ts';
import type { RenderedIssue } from '../domain/issue-snapshot.ts';
import type { AgentContext, AgentResult } from './agent-context.ts';
import { issueText } from './issue-text.ts';
import { runAgent } from './loop.ts';
import type { RepositoryReader } from './repository-reader.ts';
import { repositoryTools } from './tools/repository-tools.ts';
import { SeenLines } from './tools/seen-lines.ts';
import { submitFindings } from './tools/submit-findings.ts';

export interface LocalizerInput {
  issue: RenderedIssue;
  repository: RepositoryReader;
  /** Lexical hints, best first; empty for none. */
  suspects: Suspect[];
}

const FIRST_TREE_TOKENS = 4000;
const SHOWN_SUSPECTS = 10;
/** So many of the suspects decide which folders the first tree opens. */
const NEAREST = 3;

/**
 * Finds the lines that a fix has to touch and says why, in SHERLOC's five fields a finding (§3). Starts with the issue
 * and the filtered tree (§3.1) and reads with the tools that the settings name.
 * @throws only faults of ours; every end is in the result
 */
export async function localize(
  input: LocalizerInput,
  context: AgentContext,
  signal: AbortSignal,
): Promise<AgentResult<Localization>> {
  const { prompts, settings } = context;
  const seen = new SeenLines();
  const tools = repositoryTools(settings.localizerTools, input.repository, prompts, seen);
  const names = tools.map((tool) => tool.spec.name);
  return runAgent(
    {
      role: 'localizer',
      system: prompts.render('localizer/system', { tools: names, steps: settings.roles.localizer.limits.steps }),
      user: prompts.render('localizer/user', {
        issue: issueText(input.issue),
        tree: await firstTree(input),
        suspects: input.suspects.slice(0, SHOWN_SUSPECTS).map(suspectLine).join('\n'),
      }),
      tools,
      submission: { by: 'tool', tool: submitFindings(prompts, seen) },
    },
    context,
    signal,
  );
}

/** The tools can still read a repository whose tree could not be had in time. */
async function firstTree({ repository, suspects }: LocalizerInput): Promise<string> {
  try {
    const near = suspects.slice(0, NEAREST).map(({ path }) => path);
    return (await repository.tree({ maxTokens: FIRST_TREE_TOKENS, near })).text;
  } catch (error) {
    if (error instanceof FathomError) return error.message;
    throw error;
  }
}

function suspectLine(suspect: Suspect): string {
  const names = suspect.definitions.slice(0, 5).map((one) => `${one.name} (${one.startLine}-${one.endLine})`);
  return `- ${suspect.path}${names.length > 0 ? `: ${names.join(', ')}` : ''}`;
}
