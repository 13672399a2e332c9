import { addDays } from '../calendar/plain-date.js';
import { sum } from '../money/money.js';
import { chargesFor } from './charges.js';

/**
 * @typedef {{
 *   readonly account: string,
 *   readonly currency: string,
 *   readonly window: import('../calendar/window.js').Window,
 *   readonly issued: string,
 *   readonly due: string,
 *   readonly charges: readonly import('./charges.js').Charge[],
 *   readonly total: import('../money/money.js').Money,
 *   readonly memo?: string,
 * }} Statement
 */

/**
 * Collects the charges of all subscriptions, by subscription and then by date.
 *
 * @returns {Statement}
 */
export function buildStatement({ account, subscriptions, window, periods, issued, memo }) {
  const charges = subscriptions.flatMap((subscription) => chargesFor(subscription, window, periods));
  return Object.freeze({
    account: account.name,
    currency: account.currency,
    window,
    issued,
    due: addDays(issued, account.netDays),
    charges,
    total: sum(
      charges.map((charge) => charge.amount),
      account.currency,
    ),
    memo,
  });
}

/** The sum of the charges of each subscription, in the order of the statement. */
export function subtotals({ charges, currency }) {
  const ids = [...new Set(charges.map((charge) => charge.subscription))];
  return ids.map((id) => {
    const own = charges.filter((charge) => charge.subscription === id);
    return {
      subscription: id,
      plan: own[0].plan,
      total: sum(
        own.map((charge) => charge.amount),
        currency,
      ),
    };
  });
}
