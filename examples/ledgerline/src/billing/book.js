import { parseWindow } from '../calendar/window.js';
import { dateInZone, timeZone } from '../calendar/zone.js';
import { currencyOf } from '../money/currencies.js';
import { sum } from '../money/money.js';
import { LedgerlineError } from '../support/errors.js';
import { chargesFor } from './charges.js';
import { buildForecast } from './forecast.js';
import { createPeriods } from './periods.js';
import { readSnapshot, takeSnapshot } from './snapshot.js';
import { buildStatement } from './statement.js';
import { checkSubscription, readSubscription } from './subscription.js';

/**
 * The subscriptions of one account, and what follows from them.
 *
 * @param {object} [options]
 * @param {string} [options.name] whom the statements are for
 * @param {string} [options.currency] ISO 4217 code
 * @param {string} [options.zone] IANA time zone in which "today" is decided
 * @param {number} [options.netDays] days from a statement's issue to its due date
 * @param {() => Date} [options.now] the clock
 */
export function createBook({ name = '', currency = 'EUR', zone = 'UTC', netDays = 30, now = () => new Date() } = {}) {
  const account = Object.freeze({ name, currency: currencyOf(currency).code, zone: timeZone(zone), netDays });
  return openBook({ account, subscriptions: [], now });
}

/**
 * Opens a book from what `book.snapshot()` gave.
 *
 * @param {object} snapshot
 * @param {{ now?: () => Date }} [options]
 */
export function restoreBook(snapshot, { now = () => new Date() } = {}) {
  const { account, subscriptions } = readSnapshot(snapshot);
  return openBook({ account: Object.freeze({ name: '', netDays: 30, ...account }), subscriptions, now });
}

function openBook({ account, subscriptions, now }) {
  const byId = new Map(subscriptions.map((subscription) => [subscription.id, subscription]));
  const periods = createPeriods();
  const contents = () => ({ account, subscriptions: [...byId.values()], periods });

  return {
    subscriptions: () => [...byId.values()],

    subscribe(entry) {
      const subscription = readSubscription(entry, account.currency);
      if (byId.has(subscription.id)) {
        throw new LedgerlineError('duplicate-subscription', `There is already a subscription "${subscription.id}"`);
      }
      byId.set(subscription.id, subscription);
      return subscription;
    },

    /** Ends a subscription; `end` is the first day that is no longer served. */
    cancel(id, end) {
      const subscription = byId.get(id);
      if (subscription === undefined) {
        throw new LedgerlineError('unknown-subscription', `There is no subscription "${id}"`);
      }
      byId.set(id, checkSubscription({ ...subscription, end }));
    },

    statement(window, { memo } = {}) {
      const issued = dateInZone(now(), account.zone);
      return buildStatement({ ...contents(), window: parseWindow(window), issued, memo });
    },

    /** What a subscription would cost in a window, without subscribing to it. */
    quote(entry, window) {
      const offer = readSubscription({ id: 'quote', ...entry }, account.currency);
      const charges = chargesFor(offer, parseWindow(window), periods);
      return sum(
        charges.map((charge) => charge.amount),
        account.currency,
      );
    },

    forecast: (month, count) => buildForecast(contents(), { month, count }),

    snapshot: () => takeSnapshot(account, [...byId.values()]),
  };
}
