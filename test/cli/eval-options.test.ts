import { describe, expect, it } from 'vitest';
import { readEvalOptions } from '#src/cli/eval-options.ts';
import { InputError } from '#src/domain/errors.ts';

const enough = { data: 'd.jsonl', repos: 'r', out: 'o' };

function problemsOf(flags: Parameters<typeof readEvalOptions>[0]) {
  try {
    readEvalOptions(flags);
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(({ source, message }) => `${source} ${message}`);
    throw error;
  }
  return [];
}

describe('flags of fathom eval', () => {
  it('that are wrong are said all at once, in words and not in those of a validator', () => {
    const wrong = { parallel: '0', limit: 'few', repetitions: '2.5', budget: '0', only: 'lokalize' };
    expect(problemsOf({ ...enough, ...wrong }).sort()).toEqual([
      '--budget "0" is too small: more than 0',
      '--limit "few" is not a number',
      '--only "lokalize" is not one of localize, diagnose, resolve',
      '--parallel "0" is too small: at least 1',
      '--repetitions "2.5" is not a whole number',
    ]);
  });

  it('that are missing are said as missing, with what each is', () => {
    expect(problemsOf({})).toEqual(['--data is missing', '--repos is missing', '--out is missing']);
  });
});
