import { monthsFrom } from '../calendar/window.js';
import { sum } from '../money/money.js';
import { chargesFor } from './charges.js';

/**
 * What the coming months bring if nobody subscribes or cancels.
 *
 * @param {{ month: string, count: number }} range the first month ("2026-04") and how many
 * @returns {{ month: string, total: import('../money/money.js').Money }[]}
 */
export function buildForecast({ account, subscriptions, periods }, { month, count }) {
  return monthsFrom(month, count).map((window) => ({
    month: window.from.slice(0, 7),
    total: sum(
      subscriptions.flatMap((subscription) => chargesFor(subscription, window, periods)).map((charge) => charge.amount),
      account.currency,
    ),
  }));
}
