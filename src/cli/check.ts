import type { InputError } from '../domain/errors.ts';

/** One thing that `fathom doctor` looked at. */
export interface Check {
  name: string;
  state: 'ok' | 'warning' | 'broken';
  detail: string;
  remedy?: string;
}

/** Each wrong setting as one more thing that is broken. */
export const settingChecks = ({ problems }: InputError): Check[] =>
  problems.map(({ source, message, remedy }) => {
    return { name: 'settings', state: 'broken', detail: `${source} ${message}`, remedy };
  });
