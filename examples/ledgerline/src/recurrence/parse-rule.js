import { LedgerlineError } from '../support/errors.js';
import { checkRule } from './rule.js';

const CADENCES = {
  daily: { frequency: 'daily', interval: 1 },
  weekly: { frequency: 'weekly', interval: 1 },
  fortnightly: { frequency: 'weekly', interval: 2 },
  monthly: { frequency: 'monthly', interval: 1 },
  quarterly: { frequency: 'monthly', interval: 3 },
  yearly: { frequency: 'monthly', interval: 12 },
};
const UNITS = { day: 'daily', week: 'weekly', month: 'monthly', year: 'yearly' };
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const EVERY = /^every (?:(\d{1,3}) )?(day|week|month|year)s?$/;
const ORDINAL = /^the (\d{1,2})(?:st|nd|rd|th)$/;
const LAST_DAY = 31;

/**
 * Reads a rule in words: `"weekly"`, `"every 2 weeks on friday"`,
 * `"monthly on the 15th"`, `"quarterly on the last day"`.
 *
 * @param {string} text
 * @returns {import('./rule.js').Rule}
 */
export function parseRule(text) {
  const words = String(text).trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const [cadence, day, ...rest] = words.split(' on ');
  if (rest.length > 0) throw unreadable(text);
  return checkRule({ ...parseCadence(cadence, text), ...(day === undefined ? {} : parseDay(day, text)) });
}

function parseCadence(words, text) {
  if (Object.hasOwn(CADENCES, words)) return CADENCES[words];
  const match = EVERY.exec(words);
  if (match === null) throw unreadable(text);
  const [, count = '1', unit] = match;
  const { frequency, interval } = CADENCES[UNITS[unit]];
  return { frequency, interval: interval * Number(count) };
}

function parseDay(words, text) {
  if (WEEKDAYS.includes(words)) return { weekday: WEEKDAYS.indexOf(words) };
  if (words === 'the last day') return { monthDay: LAST_DAY };
  const match = ORDINAL.exec(words);
  if (match === null) throw unreadable(text);
  return { monthDay: Number(match[1]) };
}

function unreadable(text) {
  return new LedgerlineError('bad-rule', `Cannot read the rule "${text}"`);
}
