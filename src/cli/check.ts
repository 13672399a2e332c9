import { FathomError, InputError, type Problem } from '../domain/errors.ts';

/** One thing that `fathom doctor` looked at, or could not. */
export interface Check {
  name: string;
  state: 'ok' | 'warning' | 'broken' | 'skipped';
  detail: string;
  remedy?: string;
}

/** Each wrong setting as one more thing that is broken. */
export const settingChecks = (problems: Problem[]): Check[] =>
  problems.map(({ source, message, remedy }) => {
    return { name: 'settings', state: 'broken', detail: `${source} ${message}`, remedy };
  });

/** What could not be looked at; `why` follows upon "because". */
export const skipped = (name: string, why: string): Check => ({
  name,
  state: 'skipped',
  detail: `not checked because ${why}`,
});

export const skippedFor = (name: string, problems: Problem[]): Check =>
  skipped(name, `of what is wrong with ${problems.map(({ source }) => source).join(', ')}`);

/** What `look` finds; what keeps it from looking is a finding too. */
export async function tried(name: string, look: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof InputError) return [...settingChecks(error.problems), skippedFor(name, error.problems)];
    if (!(error instanceof FathomError)) throw error;
    return [{ name, state: 'broken', detail: error.message, remedy: error.remedy }];
  }
}
