import { type FathomError, InputError } from '../domain/errors.ts';

/** What a person at a terminal is told: each problem with its remedy, and no stack. */
export function describeError(error: FathomError): string {
  if (!(error instanceof InputError)) return `fathom: ${error.message}\n  ${error.remedy}`;
  return error.problems.map(({ source, message, remedy }) => `fathom: ${source} ${message}\n  ${remedy}`).join('\n');
}
