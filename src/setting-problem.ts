import type { z } from 'zod';
import type { Problem } from './domain/errors.ts';

/**
 * What is wrong with one setting, in the words of who set it. `value` is what was given; secrets are never among the
 * values that can be wrong in these ways.
 */
export function settingProblem(source: string, issue: z.core.$ZodIssue, value: unknown): Problem {
  const given = typeof value === 'string' ? `"${value.slice(0, 60)}" ` : '';
  return { source, message: `${given}${settingWords(issue)}`, remedy: `Correct ${source}.` };
}

const kinds: Record<string, string> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of settings',
};

/** What is wrong with a value, in words that follow upon the value or its name: `is not a number`. */
export function settingWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `is not ${kinds[issue.expected] ?? `of the kind ${issue.expected}`}`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return issue.origin === 'string'
        ? `is longer than ${issue.maximum} characters`
        : `is too ${issue.origin === 'array' ? 'long' : 'large'}: at most ${issue.maximum}`;
    case 'invalid_value':
      return `is not ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.slice(0, 8).map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'url' ? 'is no address such as https://host/v1' : issue.message;
    default:
      return issue.message;
  }
}

function tooSmall({ origin, minimum, inclusive, message }: z.core.$ZodIssueTooSmall): string {
  if ((origin === 'string' || origin === 'array') && minimum === 1) return 'is empty';
  if (origin === 'string') return message;
  return `is too small: ${inclusive === false ? 'more than' : 'at least'} ${minimum}`;
}
