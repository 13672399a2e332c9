import { compact } from '../support/compact.js';

/**
 * Amounts in minor units. Texts and flags that are not set are left out, as
 * docs/exporters.md promises to those who read the files.
 *
 * @param {import('../billing/statement.js').Statement} statement
 * @param {{ indent?: number }} [options]
 */
export function exportJson(statement, { indent = 2 } = {}) {
  const { account, memo, currency, window, issued, due, charges, total } = statement;
  const document = {
    ...compact({ account, memo }),
    currency,
    window,
    issued,
    due,
    total: total.minor,
    charges: charges.map(({ amount, ...charge }) => ({ ...compact(charge), amount: amount.minor })),
  };
  return `${JSON.stringify(document, null, indent)}\n`;
}
