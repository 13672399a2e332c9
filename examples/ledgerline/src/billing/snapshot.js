import { timeZone } from '../calendar/zone.js';
import { money } from '../money/money.js';
import { checkRule } from '../recurrence/rule.js';
import { compact } from '../support/compact.js';
import { LedgerlineError } from '../support/errors.js';
import { checkSubscription } from './subscription.js';

const VERSION = 2;

/**
 * A book as plain data, ready for `JSON.stringify`. Fields that are not set
 * are left out, so that snapshots stay short and compare well.
 */
export function takeSnapshot(account, subscriptions) {
  return {
    version: VERSION,
    account: compact(account),
    subscriptions: subscriptions.map((subscription) =>
      compact({
        ...subscription,
        price: subscription.price.minor,
        rule: compact(subscription.rule),
      }),
    ),
  };
}

/**
 * The inverse of `takeSnapshot`. Everything is checked again: a snapshot may
 * have been edited or cut short.
 */
export function readSnapshot(snapshot) {
  if (snapshot?.version !== VERSION) {
    throw new LedgerlineError('bad-snapshot', `Cannot read a snapshot of version ${snapshot?.version}`);
  }
  const { account, subscriptions } = snapshot;
  timeZone(account.zone);
  return {
    account,
    subscriptions: subscriptions.map((saved) =>
      checkSubscription({
        ...saved,
        price: money(saved.price, account.currency),
        rule: checkRule(saved.rule),
      }),
    ),
  };
}
