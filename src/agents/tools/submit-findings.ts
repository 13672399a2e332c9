import { z } from 'zod';
import { Localization } from '../../domain/finding.ts';
import type { PromptSet } from '../../prompts/load-prompts.ts';
import { lineNumber, pathProblem, spanProblem } from './line-span.ts';
import type { SeenLines } from './seen-lines.ts';
import { acceptBy, type SubmitTool, toolSpec } from './tool.ts';

const text = z.string().trim().min(1);
const LocationArguments = z.object({ path: text, startLine: lineNumber, endLine: lineNumber });
const FindingArguments = z.object({
  locationExplanation: text,
  rootCause: text,
  solutionIdea: text,
  dependencies: text,
  testingImpact: text,
  locations: z.array(LocationArguments).min(1).max(40),
  falsifier: z.string().optional(),
});
const FindingsArguments = z.object({
  findings: z.array(FindingArguments).max(10).default([]),
  abstention: z.string().optional(),
});

/**
 * How a Localizer hands in its findings (SHERLOC §3.3), or the reason why it names none. Locations that were not `seen` are
 * told once; the next submission is taken as it is.
 */
export function submitFindings(prompts: PromptSet, seen?: SeenLines): SubmitTool<Localization> {
  const description = prompts.render('tools/submit-findings');
  let told = false;
  return {
    review: async ({ findings }) => {
      const unseen = findings.flatMap(({ locations }) => locations.filter((location) => !seen?.covers(location)));
      if (told || seen === undefined || unseen.length === 0) return undefined;
      told = true;
      const lines = unseen.map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`);
      return prompts.render('localizer/unseen', { locations: lines.join('\n') });
    },
    spec: toolSpec({ name: 'submit_findings', description, schema: FindingsArguments }),
    accept: (args) => {
      const accepted = acceptBy(FindingsArguments, args);
      if ('problems' in accepted) return accepted;
      const problems = problemsOf(accepted.value);
      return problems.length > 0 ? { problems } : acceptBy(Localization, accepted.value);
    },
  };
}

function problemsOf({ findings, abstention }: z.infer<typeof FindingsArguments>): string[] {
  if (findings.length === 0 && !abstention?.trim())
    return ['findings: give at least one, or say in abstention why the evidence supports none'];
  return findings.flatMap((finding, f) =>
    finding.locations.flatMap((location, l) =>
      [pathProblem(location.path), spanProblem(location)]
        .filter((problem) => problem !== undefined)
        .map((problem) => `findings.${f}.locations.${l}: ${problem}`),
    ),
  );
}
