import { LedgerlineError } from '../support/errors.js';
import { currencyOf } from './currencies.js';
import { money } from './money.js';

const AMOUNT = /^(-?)(\d{1,12})(?:\.(\d{1,3}))?$/;

/**
 * Reads a decimal amount such as `"84"`, `"84.00"` or `"-0.5"`.
 *
 * @param {string} text
 * @param {string} currency
 * @returns {import('./money.js').Money}
 */
export function parseMoney(text, currency) {
  const match = AMOUNT.exec(String(text).trim());
  if (match === null) throw new LedgerlineError('bad-amount', `Cannot read the amount "${text}"`);

  const { code, decimals } = currencyOf(currency);
  const [, minus, whole, fraction = ''] = match;
  if (fraction.length > decimals) {
    throw new LedgerlineError('bad-amount', `"${text}" has more decimals than ${code} knows`);
  }
  const minor = Number(whole + fraction.padEnd(decimals, '0'));
  return money(minus && minor > 0 ? -minor : minor, code);
}

/**
 * Writes an amount with all decimals of its currency.
 *
 * @param {import('./money.js').Money} amount
 * @param {{ decimal?: string, sign?: boolean }} [options] the decimal mark, and whether to
 *   put the currency's sign in front
 */
export function formatMoney(amount, { decimal = '.', sign = false } = {}) {
  const currency = currencyOf(amount.currency);
  const digits = String(Math.abs(amount.minor)).padStart(currency.decimals + 1, '0');
  const cut = digits.length - currency.decimals;
  const number = currency.decimals ? `${digits.slice(0, cut)}${decimal}${digits.slice(cut)}` : digits;
  return `${amount.minor < 0 ? '-' : ''}${sign ? `${currency.sign} ` : ''}${number}`;
}
