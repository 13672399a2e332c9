import { daysBetween, earlier } from '../calendar/plain-date.js';
import { boundaries, boundaryBefore } from '../recurrence/boundaries.js';
import { fingerprint } from '../support/fingerprint.js';
import { createLruCache } from '../support/lru-cache.js';

/**
 * A stretch of service that is charged at once. It is full when `days` equals
 * `fullDays`; the first and the last one of a subscription may be shorter.
 *
 * @typedef {{ readonly from: string, readonly until: string, readonly days: number, readonly fullDays: number }} Period
 * @typedef {{ rule: import('../recurrence/rule.js').Rule, start: string, end?: string }} Schedule
 */

/**
 * Finds the periods of schedules. What was found is kept: finding a month of a
 * subscription that began years ago walks through all of its renewals.
 *
 * @param {{ limit?: number }} [options] how many results to keep
 */
export function createPeriods({ limit = 500 } = {}) {
  const found = createLruCache(limit);

  return {
    /**
     * The periods that begin inside a window, in order.
     *
     * @param {Schedule} schedule
     * @param {import('../calendar/window.js').Window} window
     * @returns {readonly Period[]}
     */
    within({ rule, start, end }, { from, until }) {
      const key = fingerprint({ ...rule, start, end, from, until });
      return found.getOrCreate(key, () =>
        Object.freeze([...periodsOf({ rule, start, end }, until)].filter((period) => period.from >= from)),
      );
    },
  };
}

function* periodsOf({ rule, start, end }, until) {
  const stop = earlier(until, end);
  let nominal = boundaryBefore(rule, start);
  let from = start;
  for (const boundary of boundaries(rule, start)) {
    if (from >= stop) return;
    if (boundary > from) yield period(from, earlier(boundary, end), daysBetween(nominal, boundary));
    from = boundary;
    nominal = boundary;
  }
}

function period(from, until, fullDays) {
  return Object.freeze({ from, until, days: daysBetween(from, until), fullDays });
}
