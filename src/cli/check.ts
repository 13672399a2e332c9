/** One thing that `fathom doctor` looked at. */
export interface Check {
  name: string;
  state: 'ok' | 'warning' | 'broken';
  detail: string;
  remedy?: string;
}
