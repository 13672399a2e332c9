// The maintainers' regression test for `ledgerline-issue.md`. It is no part of the repository that Fathom is shown.
// Run it in the root of a ledgerline checkout: `node --test path/to/ledgerline-hidden-test.mjs`.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { createBook, createExporters, restoreBook } = await import(pathToFileURL(resolve('src/index.js')).href);

const north = { id: 'north', price: '84.00', every: 'weekly', start: '2026-04-01' };
const south = { id: 'south', price: '84.00', every: 'weekly on sunday', start: '2026-04-01' };

test('the CSV total does not depend on the order of the subscriptions', () => {
  for (const order of [[north, south], [south, north]]) {
    const book = createBook();
    for (const subscription of order) book.subscribe(subscription);
    const csv = createExporters().run('csv', book.statement('2026-04'));
    assert.match(csv, /^TOTAL,,2026-04-01,2026-05-01,,804\.00,EUR\r$/m);
  }
});

test('a quote does not depend on the quotes before it', () => {
  const book = createBook();
  const quote = (every) => book.quote({ price: '84.00', every, start: '2026-04-01' }, '2026-04').minor;
  assert.equal(quote('weekly'), 42_000);
  assert.equal(quote('weekly on sunday'), 38_400);
});

test('a restored book charges what the saved one charged', () => {
  const book = createBook();
  book.subscribe(south);
  const restored = restoreBook(JSON.parse(JSON.stringify(book.snapshot())));
  assert.equal(restored.statement('2026-04').total.minor, 38_400);
});
