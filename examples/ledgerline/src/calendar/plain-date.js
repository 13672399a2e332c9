import { LedgerlineError } from '../support/errors.js';

// A date is its ISO text, "2026-04-01": it has no time and no zone, sorts as
// text, and survives JSON. Arithmetic goes through UTC, where every day has 24 hours.

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const MS_PER_DAY = 86_400_000;

/** The text itself if it names a day that exists; throws otherwise. */
export function plainDate(text) {
  const match = DATE.exec(String(text));
  if (match === null || fromDayNumber(dayNumber(match[0])) !== match[0]) {
    throw new LedgerlineError('bad-date', `"${text}" is not a date like 2026-04-01`);
  }
  return match[0];
}

export function addDays(date, days) {
  return fromDayNumber(dayNumber(date) + days);
}

/** Days from `from` to `until`, negative when `until` is earlier. */
export function daysBetween(from, until) {
  return dayNumber(until) - dayNumber(from);
}

/** The day of the week as `Date.prototype.getDay` counts it: Sunday is 0, Saturday is 6. */
export function weekdayOf(date) {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

export function dayOfMonth(date) {
  return Number(date.slice(8));
}

/**
 * The date `months` later on `day` of that month, or on its last day if the
 * month is shorter.
 */
export function addMonths(date, months, day = dayOfMonth(date)) {
  const first = new Date(`${date.slice(0, 7)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + months);
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, length));
  return first.toISOString().slice(0, 10);
}

export function earlier(a, b) {
  return b === undefined || a < b ? a : b;
}

function dayNumber(date) {
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / MS_PER_DAY);
}

function fromDayNumber(number) {
  const time = new Date(number * MS_PER_DAY);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString().slice(0, 10);
}
