import { LedgerlineError } from '../support/errors.js';

/** The name itself if the runtime knows the time zone; throws otherwise. */
export function timeZone(name) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch (cause) {
    throw new LedgerlineError('unknown-zone', `Unknown time zone "${name}"`, { cause });
  }
}

/**
 * The calendar date that an instant falls on in a time zone.
 *
 * @param {Date} instant
 * @param {string} zone IANA name, such as `Europe/Berlin`
 * @returns {string} ISO date
 */
export function dateInZone(instant, zone) {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(instant);
  const part = (type) => parts.find((candidate) => candidate.type === type).value;
  return `${part('year')}-${part('month')}-${part('day')}`;
}
