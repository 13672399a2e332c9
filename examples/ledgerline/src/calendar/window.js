import { LedgerlineError } from '../support/errors.js';
import { addMonths, plainDate } from './plain-date.js';

/**
 * A half-open span of days: `from` belongs to it, `until` does not.
 *
 * @typedef {{ readonly from: string, readonly until: string }} Window
 */

const SHAPES = [
  { pattern: /^(\d{4})$/, months: 12, from: ([, year]) => `${year}-01-01` },
  { pattern: /^(\d{4})-Q([1-4])$/, months: 3, from: ([, year, quarter]) => firstOfQuarter(year, quarter) },
  { pattern: /^(\d{4})-(\d{2})$/, months: 1, from: ([, year, month]) => `${year}-${month}-01` },
];

/**
 * Reads `"2026"`, `"2026-Q2"`, `"2026-04"` or `"2026-04-10/2026-04-24"`.
 *
 * @param {string} text
 * @returns {Window}
 */
export function parseWindow(text) {
  for (const { pattern, months, from } of SHAPES) {
    const match = pattern.exec(text);
    if (match !== null) {
      const start = plainDate(from(match));
      return { from: start, until: addMonths(start, months) };
    }
  }
  return parseSpan(text);
}

/** The windows of one month each, `count` of them, the first being `month` ("2026-04"). */
export function monthsFrom(month, count) {
  const first = parseWindow(month);
  return Array.from({ length: count }, (_, index) => ({
    from: addMonths(first.from, index),
    until: addMonths(first.from, index + 1),
  }));
}

function parseSpan(text) {
  const ends = String(text).split('/');
  if (ends.length !== 2) throw new LedgerlineError('bad-window', `Cannot read the window "${text}"`);
  const [from, until] = ends.map(plainDate);
  if (from >= until) throw new LedgerlineError('bad-window', `The window "${text}" is empty`);
  return { from, until };
}

function firstOfQuarter(year, quarter) {
  return `${year}-${String(quarter * 3 - 2).padStart(2, '0')}-01`;
}
