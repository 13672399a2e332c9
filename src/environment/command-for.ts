import type { ResolutionReport } from '../domain/patch.ts';
import type { TestPlan } from './test-plan.ts';

const MOST_CHARACTERS = 2_000;

/**
 * The command that runs only the regression test: the one that the Resolver named, else the plan's for its one test file.
 * It is untrusted and run in a container without a network; whether it tested anything is read from its output.
 */
export function commandFor(plan: Pick<TestPlan, 'single'>, report: ResolutionReport): string | undefined {
  const named = report.regressionTest?.trim() ?? '';
  if (named !== '' && named.length <= MOST_CHARACTERS && !named.includes('\0')) return named;
  const [file, ...others] = report.testFiles ?? [];
  return file !== undefined && others.length === 0 ? plan.single?.(file) : undefined;
}
