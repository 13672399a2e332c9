import { multiply, reduceByPercent } from '../money/money.js';

/**
 * @typedef {{
 *   readonly subscription: string,
 *   readonly plan: string,
 *   readonly from: string,
 *   readonly until: string,
 *   readonly prorated: boolean,
 *   readonly amount: import('../money/money.js').Money,
 * }} Charge
 */

/**
 * What a subscription owes for the periods that begin inside a window.
 *
 * @param {import('./subscription.js').Subscription} subscription
 * @param {import('../calendar/window.js').Window} window
 * @param {ReturnType<typeof import('./periods.js').createPeriods>} periods
 * @returns {Charge[]}
 */
export function chargesFor(subscription, window, periods) {
  return periods.within(subscription, window).map((period) => ({
    subscription: subscription.id,
    plan: subscription.plan,
    from: period.from,
    until: period.until,
    prorated: period.days < period.fullDays,
    amount: amountFor(subscription, period),
  }));
}

// The discount comes off the price before proration, so that every full period of a plan costs the same.
function amountFor({ price, discount }, { days, fullDays }) {
  const net = discount === undefined ? price : reduceByPercent(price, discount);
  return multiply(net, days, fullDays);
}
