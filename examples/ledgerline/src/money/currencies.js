import { LedgerlineError } from '../support/errors.js';

/** ISO 4217 code to the number of decimals its smallest unit has, and its sign. */
const CURRENCIES = new Map([
  ['AUD', { decimals: 2, sign: 'A$' }],
  ['BHD', { decimals: 3, sign: 'BD' }],
  ['CAD', { decimals: 2, sign: 'C$' }],
  ['CHF', { decimals: 2, sign: 'CHF' }],
  ['DKK', { decimals: 2, sign: 'kr' }],
  ['EUR', { decimals: 2, sign: '€' }],
  ['GBP', { decimals: 2, sign: '£' }],
  ['JPY', { decimals: 0, sign: '¥' }],
  ['KRW', { decimals: 0, sign: '₩' }],
  ['KWD', { decimals: 3, sign: 'KD' }],
  ['NOK', { decimals: 2, sign: 'kr' }],
  ['PLN', { decimals: 2, sign: 'zł' }],
  ['SEK', { decimals: 2, sign: 'kr' }],
  ['USD', { decimals: 2, sign: '$' }],
]);

/**
 * @param {string} code in any case, with or without spaces around it
 * @returns {{ code: string, decimals: number, sign: string }}
 */
export function currencyOf(code) {
  const normalized = String(code).trim().toUpperCase();
  const entry = CURRENCIES.get(normalized);
  if (entry === undefined) {
    throw new LedgerlineError('unknown-currency', `Unknown currency "${code}"`);
  }
  return { code: normalized, ...entry };
}
