import { formatMoney } from '../money/text.js';

const HEADER = ['subscription', 'plan', 'from', 'until', 'prorated', 'amount', 'currency'];

/**
 * One row per charge and a last row with the total.
 *
 * @param {import('../billing/statement.js').Statement} statement
 * @param {{ delimiter?: string, decimal?: string }} [options]
 */
export function exportCsv(statement, { delimiter = ',', decimal = '.' } = {}) {
  const rows = [
    HEADER,
    ...statement.charges.map((charge) => [
      charge.subscription,
      charge.plan,
      charge.from,
      charge.until,
      charge.prorated ? 'yes' : 'no',
      formatMoney(charge.amount, { decimal }),
      charge.amount.currency,
    ]),
    [
      'TOTAL',
      '',
      statement.window.from,
      statement.window.until,
      '',
      formatMoney(statement.total, { decimal }),
      statement.currency,
    ],
  ];
  return rows.map((row) => `${row.map((cell) => quoted(cell, delimiter)).join(delimiter)}\r\n`).join('');
}

// RFC 4180: a cell with a delimiter, a quote or a line break is quoted, quotes inside are doubled.
function quoted(cell, delimiter) {
  const special = cell.includes(delimiter) || /["\r\n]/.test(cell);
  return special ? `"${cell.replaceAll('"', '""')}"` : cell;
}
