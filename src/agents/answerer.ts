import type { Answer } from '../domain/answer.ts';
import type { RenderedIssue } from '../domain/issue-snapshot.ts';
import type { Sandbox } from '../domain/ports/sandbox-host.ts';
import type { Question } from '../domain/question.ts';
import type { AgentContext, AgentResult } from './agent-context.ts';
import { issueText } from './issue-text.ts';
import { runAgent } from './loop.ts';
import { shellTool } from './tools/shell.ts';
import { submitAnswer } from './tools/submit-answer.ts';

export interface AnswererInput {
  issue: RenderedIssue;
  question: Question;
  /** With the checkout mounted read-only at its working directory. */
  sandbox: Sandbox;
  /** What there is in the sandbox to work with, in a few lines. */
  environment?: string | undefined;
}

/**
 * Answers one question from the repository, with a citation for every claim, or says which evidence is missing
 * (ACQUIRE §III-B2). Sees the issue and its own question and nothing of the other Answerers (§III-B3). Where the run
 * asks for a proposal instead of questions, it writes that (ACQUIRE §V-C1).
 * @throws SandboxError when the engine refuses; every other end is in the result
 */
export function answerQuestion(
  input: AnswererInput,
  context: AgentContext,
  signal: AbortSignal,
): Promise<AgentResult<Answer>> {
  const { prompts, settings } = context;
  const seconds = settings.roles.answerer.limits.commandSeconds;
  const hasShell = settings.answererTools?.includes('shell') ?? true;
  return runAgent(
    {
      role: 'answerer',
      ...textsOf(input, context, hasShell),
      tools: hasShell ? [shellTool({ sandbox: input.sandbox, prompts, seconds, writable: false })] : [],
      submission: { by: 'tool', tool: submitAnswer(prompts) },
    },
    context,
    signal,
  );
}

function textsOf(
  { question, issue, environment }: AnswererInput,
  { prompts, settings }: AgentContext,
  hasShell: boolean,
): { system: string; user: string } {
  const asked = { issue: issueText(issue), category: question.category, question: question.text };
  if (!hasShell) {
    return {
      system: prompts.render('ablations/answerer-without-shell'),
      user: prompts.render('ablations/answerer-without-shell-user', asked),
    };
  }
  return {
    system: prompts.render(settings.asking === 'proposal' ? 'answerer/proposal-system' : 'answerer/system'),
    user: prompts.render('answerer/user', { ...asked, environment: environment ?? '' }),
  };
}
