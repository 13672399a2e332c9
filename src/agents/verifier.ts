import { z } from 'zod';
import { type AuditedFinding, type AuditedPair, type Diagnosis, Verification } from '../domain/diagnosis.ts';
import type { RenderedIssue } from '../domain/issue-snapshot.ts';
import type { PromptSet } from '../prompts/load-prompts.ts';
import type { AgentContext, AgentResult } from './agent-context.ts';
import { issueText } from './issue-text.ts';
import { jsonValuesIn } from './json-in-text.ts';
import { knowledgeText } from './knowledge-text.ts';
import { runAgent } from './loop.ts';
import type { RepositoryReader } from './repository-reader.ts';
import { type Accepted, acceptBy } from './tools/tool.ts';
import { excerptsOf } from './verifier-excerpts.ts';

export interface VerifierInput {
  issue: RenderedIssue;
  findings: AuditedFinding[];
  /** Answers to hold against the findings and the lines that they cite; none are needed. */
  knowledge?: AuditedPair[];
  /** Gives excerpts of the located and cited lines where it is there. */
  repository?: Pick<RepositoryReader, 'view'>;
  /**
   * Findings of auxiliary traces from other seeds, an empty list for one that named no place: with them the verification
   * is `full` (SHERLOC's appendix), without `light`.
   */
  traces?: AuditedFinding[][] | undefined;
}

const rating = z.coerce.number().min(1).max(5);
const sentences = z.array(z.string().max(500)).max(20).default([]);
const Ratings = z.object({
  root_cause: rating,
  location: rating,
  actionability: rating,
  overall: rating,
  agreement: z.enum(['none', 'low', 'medium', 'high']).optional(),
  supporting: z.array(z.coerce.number().int().positive()).max(20).optional(),
  summary: z.string().max(2000).optional(),
  unsupported: sentences,
  contradictions: sentences,
});

const MAX_SENTENCES = 3;

/**
 * Rates findings without knowing the fix (SHERLOC's patch-free Verifier): root cause, location, actionability and
 * overall from 1 to 5, in one call. The composite is the mean of the first three. Beside that it names statements that
 * the shown lines do not say, and where answers and findings exclude each other; that part is ours.
 * @throws only faults of ours; every end is in the result
 */
export async function verifyFindings(
  input: VerifierInput,
  context: AgentContext,
  signal: AbortSignal,
): Promise<AgentResult<Verification>> {
  const { prompts } = context;
  const mode = input.traces ? 'full' : 'light';
  return runAgent(
    {
      role: 'verifier',
      system: prompts.render('verifier/system', { mode }),
      user: prompts.render('verifier/user', {
        issue: issueText(input.issue),
        diagnosis: told({ findings: input.findings }, prompts),
        answers: told({ knowledge: input.knowledge ?? [] }, prompts),
        excerpts: await excerptsOf(input),
        traces: tracesText(input.traces ?? [], prompts),
      }),
      tools: [],
      submission: { by: 'reply', attempts: 2, accept: (text) => verificationIn(text, mode) },
    },
    context,
    signal,
  );
}

function told(part: Partial<Pick<Diagnosis, 'findings' | 'knowledge'>>, prompts: PromptSet): string {
  return knowledgeText({ base: '', knowledge: [], findings: [], suspects: [], notes: [], ...part }, prompts);
}

const tracesText = (traces: AuditedFinding[][], prompts: PromptSet): string =>
  traces
    .map((findings, index) => `# Attempt ${index + 1}\n\n${told({ findings }, prompts) || '(It named no place.)'}`)
    .join('\n\n');

function verificationIn(text: string, mode: Verification['mode']): Accepted<Verification> {
  const value = jsonValuesIn(text).at(-1);
  const accepted = acceptBy(Ratings, value);
  if ('problems' in accepted) return accepted;
  const { root_cause, location, actionability, overall, agreement, supporting, summary } = accepted.value;
  return acceptBy(Verification, {
    mode,
    rootCause: root_cause,
    location,
    actionability,
    overall,
    composite: (root_cause + location + actionability) / 3,
    ...(mode === 'full' ? { agreement, supporting } : {}),
    summary,
    unsupported: accepted.value.unsupported.slice(0, MAX_SENTENCES),
    contradictions: accepted.value.contradictions.slice(0, MAX_SENTENCES),
  });
}
