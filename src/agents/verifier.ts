import { z } from 'zod';
import { type AuditedFinding, Verification } from '../domain/diagnosis.ts';
import { FathomError } from '../domain/errors.ts';
import type { RenderedIssue } from '../domain/issue-snapshot.ts';
import type { PromptSet } from '../prompts/load-prompts.ts';
import type { AgentContext, AgentResult } from './agent-context.ts';
import { issueText } from './issue-text.ts';
import { jsonValuesIn } from './json-in-text.ts';
import { findingValues } from './knowledge-text.ts';
import { runAgent } from './loop.ts';
import type { RepositoryReader } from './repository-reader.ts';
import { type Accepted, acceptBy } from './tools/tool.ts';

export interface VerifierInput {
  issue: RenderedIssue;
  findings: AuditedFinding[];
  /** Gives excerpts of the located lines where it is there. */
  repository?: Pick<RepositoryReader, 'view'>;
  /** Findings of auxiliary traces from other seeds: with them the verification is `full` (SHERLOC's appendix), else `light`. */
  traces?: AuditedFinding[][];
}

const rating = z.coerce.number().min(1).max(5);
const Ratings = z.object({
  root_cause: rating,
  location: rating,
  actionability: rating,
  overall: rating,
  agreement: z.enum(['none', 'low', 'medium', 'high']).optional(),
  summary: z.string().max(2000).optional(),
});

const MAX_EXCERPTS = 8;
const MAX_EXCERPT_CHARACTERS = 4000;

/**
 * Rates findings without knowing the fix (SHERLOC's patch-free Verifier): root cause, location, actionability and
 * overall from 1 to 5, in one call. The composite is the mean of the first three.
 * @throws only faults of ours; every end is in the result
 */
export async function verifyFindings(
  input: VerifierInput,
  context: AgentContext,
  signal: AbortSignal,
): Promise<AgentResult<Verification>> {
  const { prompts } = context;
  const mode = input.traces && input.traces.length > 0 ? 'full' : 'light';
  const traces = (input.traces ?? []).map((trace) => findingsText(trace, prompts)).join('\n\n---\n\n');
  return runAgent(
    {
      role: 'verifier',
      system: prompts.render('verifier/system', { mode }),
      user: prompts.render('verifier/user', {
        issue: issueText(input.issue),
        diagnosis: findingsText(input.findings, prompts),
        excerpts: await excerpts(input),
        traces,
      }),
      tools: [],
      submission: { by: 'reply', attempts: 2, accept: (text) => verificationIn(text, mode) },
    },
    context,
    signal,
  );
}

const findingsText = (findings: AuditedFinding[], prompts: PromptSet): string =>
  prompts.render('shared/knowledge', { pairs: [], findings: findings.map(findingValues), abstention: '', rating: '' });

async function excerpts({ findings, repository }: VerifierInput): Promise<string> {
  if (!repository) return '';
  const checked = findings.flatMap((finding) => finding.checked).filter(({ verdict }) => verdict !== 'struck');
  const texts: string[] = [];
  for (const { location } of checked.slice(0, MAX_EXCERPTS)) {
    const { path, startLine, endLine } = location;
    try {
      texts.push((await repository.view(path, { startLine, endLine })).text.slice(0, MAX_EXCERPT_CHARACTERS));
    } catch (error) {
      // An excerpt that cannot be had is left out: the ratings do without.
      if (!(error instanceof FathomError)) throw error;
    }
  }
  return texts.join('\n\n');
}

function verificationIn(text: string, mode: Verification['mode']): Accepted<Verification> {
  const value = jsonValuesIn(text).at(-1);
  const accepted = acceptBy(Ratings, value);
  if ('problems' in accepted) return accepted;
  const { root_cause, location, actionability, overall, agreement, summary } = accepted.value;
  return acceptBy(Verification, {
    mode,
    rootCause: root_cause,
    location,
    actionability,
    overall,
    composite: (root_cause + location + actionability) / 3,
    agreement,
    summary,
  });
}
