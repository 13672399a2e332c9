import { z } from 'zod';
import { ResolutionReport } from '../../domain/patch.ts';
import type { PromptSet } from '../../prompts/load-prompts.ts';
import { pathProblem } from './line-span.ts';
import { acceptBy, type SubmitTool, toolSpec } from './tool.ts';

const ResolutionArguments = z.object({
  summary: z.string().trim().min(1),
  cause: z.string().optional(),
  regressionTest: z.string().optional(),
  testFiles: z.array(z.string()).max(50).optional(),
  notChecked: z.string().optional(),
  noChangeReason: z.string().optional(),
});

/** What there is to say about the change as it stands, before it is handed in. */
export interface ChangeReview {
  /** Nothing was changed that can be taken over. */
  empty: boolean;
  /** Files that were changed and cannot be taken over. */
  left: string[];
  /** Edits that may not belong to the change, each in a line. */
  stray: string[];
}

/**
 * How a Resolver says that it is done. The change itself is in the checkout, and is taken from there by us. What `look`
 * finds in it is told once; the next submission is taken as it is.
 */
export function submitResolution(
  prompts: PromptSet,
  look?: (signal: AbortSignal) => Promise<ChangeReview | undefined>,
): SubmitTool<ResolutionReport> {
  const description = prompts.render('tools/submit-resolution');
  let looked = false;
  return {
    review: async (report, signal) => {
      if (looked || look === undefined) return undefined;
      looked = true;
      const found = await look(signal);
      return found && secondLook(prompts, report, found);
    },
    spec: toolSpec({ name: 'submit_resolution', description, schema: ResolutionArguments }),
    accept: (args) => {
      const accepted = acceptBy(ResolutionArguments, args);
      if ('problems' in accepted) return accepted;
      const problems = problemsOf(accepted.value);
      return problems.length > 0 ? { problems } : acceptBy(ResolutionReport, accepted.value);
    },
  };
}

function secondLook(prompts: PromptSet, report: ResolutionReport, found: ChangeReview): string | undefined {
  const nothing = report.noChangeReason !== undefined;
  const empty = found.empty && !nothing;
  const both = nothing && !found.empty;
  if (!empty && !both && found.stray.length === 0) return undefined;
  const lines = (texts: string[]) => texts.join('\n');
  return prompts.render('resolver/second-look', {
    unchanged: empty,
    both,
    left: lines(found.left),
    stray: lines(found.stray),
  });
}

function problemsOf(args: z.infer<typeof ResolutionArguments>): string[] {
  const paths = (args.testFiles ?? []).filter((path) => pathProblem(path) !== undefined);
  const problems = paths.map((path) => `testFiles: ${path.slice(0, 200)}: ${pathProblem(path)}`);
  if (args.noChangeReason === undefined && args.regressionTest === undefined && args.notChecked === undefined)
    problems.push(
      'regressionTest: give the command that runs only the new test, or say in notChecked why there is none',
    );
  return problems;
}
