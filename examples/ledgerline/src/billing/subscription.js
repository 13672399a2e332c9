import { plainDate } from '../calendar/plain-date.js';
import { parseMoney } from '../money/text.js';
import { parseRule } from '../recurrence/parse-rule.js';
import { LedgerlineError } from '../support/errors.js';

/**
 * @typedef {{
 *   readonly id: string,
 *   readonly plan: string,
 *   readonly price: import('../money/money.js').Money,
 *   readonly rule: import('../recurrence/rule.js').Rule,
 *   readonly start: string,
 *   readonly end?: string,
 *   readonly discount?: number,
 *   readonly memo?: string,
 * }} Subscription
 */

/**
 * Reads a subscription as users write it: the price as text, the rule in words.
 *
 * @returns {Subscription}
 */
export function readSubscription({ id, plan = id, price, every, start, end, discount, memo }, currency) {
  if (typeof id !== 'string' || id === '') {
    throw new LedgerlineError('bad-subscription', 'A subscription needs an id');
  }
  return checkSubscription({
    id,
    plan,
    price: parseMoney(price, currency),
    rule: parseRule(every),
    start,
    end,
    discount,
    memo,
  });
}

/** @returns {Subscription} */
export function checkSubscription(subscription) {
  const { start, end, discount } = subscription;
  plainDate(start);
  if (end !== undefined && plainDate(end) <= start) {
    throw new LedgerlineError('bad-subscription', `It ends on ${end}, before it has started`);
  }
  if (discount !== undefined && !(discount > 0 && discount <= 100)) {
    throw new LedgerlineError('bad-subscription', `A discount of ${discount} % makes no sense`);
  }
  return Object.freeze(subscription);
}
