import { LedgerlineError } from '../support/errors.js';

/**
 * When a subscription renews. `weekday` counts like `Date.prototype.getDay`;
 * a `monthDay` beyond the end of a month means its last day. Without either,
 * the rule follows the subscription's own start date.
 *
 * @typedef {{
 *   readonly frequency: 'daily' | 'weekly' | 'monthly',
 *   readonly interval: number,
 *   readonly weekday?: number,
 *   readonly monthDay?: number,
 * }} Rule
 */

const FREQUENCIES = ['daily', 'weekly', 'monthly'];

/**
 * Checks a rule that came from outside, such as a saved book.
 *
 * @returns {Rule}
 */
export function checkRule({ frequency, interval = 1, weekday, monthDay }) {
  check(FREQUENCIES.includes(frequency), `Unknown frequency "${frequency}"`);
  check(isWithin(interval, 1, 366), `An interval of ${interval} is out of range`);
  check(weekday === undefined || isWithin(weekday, 0, 6), `There is no weekday ${weekday}`);
  check(monthDay === undefined || isWithin(monthDay, 1, 31), `There is no day ${monthDay} in a month`);
  check(weekday === undefined || frequency === 'weekly', 'Only a weekly rule can name a weekday');
  check(monthDay === undefined || frequency === 'monthly', 'Only a monthly rule can name a day of the month');
  return Object.freeze({ frequency, interval, weekday, monthDay });
}

function isWithin(value, least, most) {
  return Number.isInteger(value) && value >= least && value <= most;
}

function check(holds, message) {
  if (!holds) throw new LedgerlineError('bad-rule', message);
}
