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

/** How a Resolver says that it is done. The change itself is in the checkout, and is taken from there by us. */
export function submitResolution(prompts: PromptSet): SubmitTool<ResolutionReport> {
  const description = prompts.render('tools/submit-resolution');
  return {
    spec: toolSpec({ name: 'submit_resolution', description, schema: ResolutionArguments }),
    accept: (args) => {
      const accepted = acceptBy(ResolutionArguments, args);
      if ('problems' in accepted) return accepted;
      const problems = problemsOf(accepted.value);
      return problems.length > 0 ? { problems } : acceptBy(ResolutionReport, accepted.value);
    },
  };
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
