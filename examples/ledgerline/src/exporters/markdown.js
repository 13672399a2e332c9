import { subtotals } from '../billing/statement.js';
import { formatMoney } from '../money/text.js';

/**
 * A summary to mail or to paste: one line per subscription.
 *
 * @param {import('../billing/statement.js').Statement} statement
 */
export function exportMarkdown(statement) {
  const amount = (value) => formatMoney(value, { sign: true });
  return [
    `# Statement ${statement.window.from} to ${statement.window.until}`,
    '',
    ...(statement.memo ? [escaped(statement.memo), ''] : []),
    '| Plan | Amount |',
    '| --- | ---: |',
    ...subtotals(statement).map(({ plan, total }) => `| ${escaped(plan)} | ${amount(total)} |`),
    `| **Total** | **${amount(statement.total)}** |`,
    '',
    `Issued ${statement.issued}, due ${statement.due}.`,
    '',
  ].join('\n');
}

function escaped(text) {
  return text.replaceAll(/[\\|*_`<[\]]/g, '\\$&').replaceAll(/\s+/g, ' ');
}
