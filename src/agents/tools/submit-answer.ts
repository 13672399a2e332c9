import { z } from 'zod';
import { Answer } from '../../domain/answer.ts';
import { Citation } from '../../domain/citation.ts';
import type { PromptSet } from '../../prompts/load-prompts.ts';
import { lineNumber, pathProblem, spanProblem } from './line-span.ts';
import { type Accepted, acceptBy, type SubmitTool, toolSpec } from './tool.ts';

// One flat shape for the four kinds: small models fill it more reliably than a choice between four schemas.
const CitationArguments = z.object({
  kind: z.enum(['repository', 'dependency', 'observation', 'standard']),
  path: z.string().optional(),
  symbol: z.string().optional(),
  startLine: lineNumber.optional(),
  endLine: lineNumber.optional(),
  package: z.string().optional(),
  version: z.string().optional(),
  command: z.string().optional(),
  output: z.string().max(4000).optional(),
  name: z.string().optional(),
});
type CitationArguments = z.infer<typeof CitationArguments>;

const AnswerArguments = z.object({
  outcome: z.enum(['answered', 'evidence-missing']),
  text: z.string().trim().min(1),
  citations: z.array(CitationArguments).max(60).default([]),
  gaps: z.string().optional(),
  falsifier: z.string().optional(),
});

/** How an Answerer hands in its answer (ACQUIRE §III-B2): what it claims, and what each claim rests on. */
export function submitAnswer(prompts: PromptSet): SubmitTool<Answer> {
  const description = prompts.render('tools/submit-answer');
  return {
    spec: toolSpec({ name: 'submit_answer', description, schema: AnswerArguments }),
    accept: (args) => {
      const accepted = acceptBy(AnswerArguments, args);
      if ('problems' in accepted) return accepted;
      return checkedAnswer(accepted.value);
    },
  };
}

function checkedAnswer(args: z.infer<typeof AnswerArguments>): Accepted<Answer> {
  const citations = args.citations.map(citationOf);
  const problems = citations.flatMap((citation, index) =>
    'problems' in citation ? citation.problems.map((problem) => `citations.${index}: ${problem}`) : [],
  );
  if (args.outcome === 'answered' && citations.length === 0)
    problems.push('citations: an answer needs at least one; without evidence the outcome is evidence-missing');
  if (args.outcome === 'evidence-missing' && !args.gaps?.trim())
    problems.push('gaps: say what you looked for, where, and what is missing');
  if (problems.length > 0) return { problems };
  const valid = citations.flatMap((citation) => ('value' in citation ? [citation.value] : []));
  const once = [...new Map(valid.map((citation) => [JSON.stringify(citation), citation])).values()];
  return acceptBy(Answer, { ...args, citations: once });
}

function citationOf(args: CitationArguments): Accepted<Citation> {
  const start = args.startLine;
  const span = start === undefined ? { endLine: undefined } : { startLine: start, endLine: args.endLine ?? start };
  const accepted = acceptBy(Citation, { ...args, ...span });
  if ('problems' in accepted) return accepted;
  const problems = placeProblems(accepted.value);
  return problems.length > 0 ? { problems } : accepted;
}

function placeProblems(citation: Citation): string[] {
  if (citation.kind !== 'repository' && citation.kind !== 'dependency') return [];
  const { startLine, endLine, path } = citation;
  const span = startLine === undefined || endLine === undefined ? undefined : spanProblem({ startLine, endLine });
  const where = citation.kind === 'repository' ? pathProblem(citation.path) : undefined;
  const lost = startLine !== undefined && path === undefined ? 'lines need the path of their file' : undefined;
  return [where, span, lost].filter((problem) => problem !== undefined);
}
