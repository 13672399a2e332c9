export { createBook, restoreBook } from './billing/book.js';
export { subtotals } from './billing/statement.js';
export { createExporters } from './exporters/registry.js';
export { formatMoney, parseMoney } from './money/text.js';
export { parseRule } from './recurrence/parse-rule.js';
export { LedgerlineError } from './support/errors.js';
