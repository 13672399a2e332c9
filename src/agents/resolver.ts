import type { Diagnosis } from '../domain/diagnosis.ts';
import type { RenderedIssue } from '../domain/issue-snapshot.ts';
import type { ResolutionReport } from '../domain/patch.ts';
import type { Sandbox } from '../domain/ports/sandbox-host.ts';
import type { AgentContext, AgentResult } from './agent-context.ts';
import { issueText } from './issue-text.ts';
import { knowledgeText } from './knowledge-text.ts';
import { runAgent } from './loop.ts';
import { shellTool } from './tools/shell.ts';
import { type ChangeReview, submitResolution } from './tools/submit-resolution.ts';

export interface ResolverInput {
  issue: RenderedIssue;
  /** Undefined for a repair without knowledge, which is the papers' baseline. */
  diagnosis: Diagnosis | undefined;
  /** With a writable checkout at its working directory. */
  sandbox: Sandbox;
  /** What there is in the sandbox to work with, in a few lines; how the repository's tests are run, where it is known. */
  environment?: string | undefined;
  /** Looks at the change as it stands when it is handed in for the first time. */
  look?(signal: AbortSignal): Promise<ChangeReview | undefined>;
}

/**
 * Repairs the checkout with the diagnosis in hand (ACQUIRE §III-C): the knowledge stands before the repair instruction,
 * stays there, and is supplementary: where code, output or tests disagree, they win. Changes files in the sandbox; the
 * patch is taken from there by the caller, whatever the end.
 * @throws SandboxError when the engine refuses; every other end is in the result
 */
export function resolveIssue(
  input: ResolverInput,
  context: AgentContext,
  signal: AbortSignal,
): Promise<AgentResult<ResolutionReport>> {
  const { prompts, settings } = context;
  const seconds = settings.roles.resolver.limits.commandSeconds;
  return runAgent(
    {
      role: 'resolver',
      system: prompts.render('resolver/system'),
      user: prompts.render('resolver/user', {
        knowledge: input.diagnosis ? knowledgeText(input.diagnosis, prompts) : '',
        issue: issueText(input.issue),
        environment: input.environment ?? '',
        protected_paths: settings.protectedPaths.join(', '),
      }),
      tools: [shellTool({ sandbox: input.sandbox, prompts, seconds, writable: true })],
      submission: { by: 'tool', tool: submitResolution(prompts, input.look) },
    },
    context,
    signal,
  );
}
