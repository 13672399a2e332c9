import { addDays, addMonths, dayOfMonth, weekdayOf } from '../calendar/plain-date.js';

/**
 * The dates on which a rule renews, from the first on or after `start`,
 * without end.
 *
 * @param {import('./rule.js').Rule} rule
 * @param {string} start ISO date
 * @returns {Generator<string, never>}
 */
export function* boundaries(rule, start) {
  const first = firstBoundary(rule, start);
  for (let count = 0; ; count += 1) yield step(rule, first, start, count);
}

/** The renewal before the first one: where the period that `start` falls into would have begun. */
export function boundaryBefore(rule, start) {
  return step(rule, firstBoundary(rule, start), start, -1);
}

function firstBoundary({ weekday, monthDay }, start) {
  if (weekday !== undefined) return addDays(start, (weekday - weekdayOf(start) + 7) % 7);
  if (monthDay === undefined) return start;
  const sameMonth = addMonths(start, 0, monthDay);
  return sameMonth < start ? addMonths(start, 1, monthDay) : sameMonth;
}

// Always counted from the first boundary, never from the one before: the 31st
// becomes the 28th in February and must be the 31st again in March.
function step({ frequency, interval, monthDay }, first, start, count) {
  switch (frequency) {
    case 'daily':
      return addDays(first, count * interval);
    case 'weekly':
      return addDays(first, count * interval * 7);
    default:
      return addMonths(first, count * interval, monthDay ?? dayOfMonth(start));
  }
}
