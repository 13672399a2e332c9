import { LedgerlineError } from '../support/errors.js';
import { currencyOf } from './currencies.js';
import { divideHalfEven } from './rounding.js';

/**
 * An amount in the smallest unit of its currency: 12.50 EUR is 1250.
 *
 * @typedef {{ readonly minor: number, readonly currency: string }} Money
 */

/** @returns {Money} */
export function money(minor, currency) {
  if (!Number.isSafeInteger(minor)) {
    throw new LedgerlineError('bad-amount', `${minor} is not a whole number of minor units`);
  }
  return Object.freeze({ minor, currency: currencyOf(currency).code });
}

/** @returns {Money} */
export function zero(currency) {
  return money(0, currency);
}

/** @returns {Money} */
export function add(a, b) {
  assertSameCurrency(a, b);
  return money(a.minor + b.minor, a.currency);
}

/** @returns {Money} */
export function sum(amounts, currency) {
  return amounts.reduce(add, zero(currency));
}

/**
 * `amount * numerator / denominator`, rounded half to even.
 *
 * @returns {Money}
 */
export function multiply(amount, numerator, denominator = 1) {
  const product = BigInt(amount.minor) * BigInt(numerator);
  return money(Number(divideHalfEven(product, BigInt(denominator))), amount.currency);
}

/** The amount less `percent` of it, rounded once. @returns {Money} */
export function reduceByPercent(amount, percent) {
  // Percentages may have two decimals, so they are counted in hundredths.
  return multiply(amount, 10_000 - Math.round(percent * 100), 10_000);
}

function assertSameCurrency(a, b) {
  if (a.currency !== b.currency) {
    throw new LedgerlineError('mixed-currencies', `Cannot add ${a.currency} and ${b.currency}`);
  }
}
