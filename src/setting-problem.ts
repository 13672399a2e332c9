import type { z } from 'zod';
import type { Problem } from './domain/errors.ts';

/**
 * What is wrong with one setting, in the words of who set it. `value` is what was given; secrets are never among the
 * values that can be wrong in these ways.
 */
export function settingProblem(source: string, issue: z.core.$ZodIssue, value: unknown): Problem {
  const given = typeof value === 'string' ? `"${value.slice(0, 60)}" ` : '';
  return { source, message: `${given}${wordsFor(issue)}`, remedy: `Correct ${source}.` };
}

function wordsFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `is not ${issue.expected === 'number' ? 'a number' : `of the kind ${issue.expected}`}`;
    case 'too_small':
      return issue.origin === 'string' ? issue.message : `is too small: at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string' ? issue.message : `is too large: at most ${issue.maximum}`;
    case 'invalid_value':
      return `is not one of ${issue.values.slice(0, 8).map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'url' ? 'is no address such as https://host/v1' : issue.message;
    default:
      return issue.message;
  }
}
