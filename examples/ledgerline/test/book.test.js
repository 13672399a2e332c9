import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBook, restoreBook } from '../src/index.js';

const now = () => new Date('2026-05-01T08:00:00Z');
const crm = { id: 'crm', plan: 'CRM', price: '30.00', every: 'monthly on the 1st', start: '2026-01-21' };
const van = {
  id: 'van',
  plan: 'Van',
  price: '70.00',
  every: 'fortnightly on friday',
  start: '2026-02-02',
  discount: 10,
};

test('an id can be used once', () => {
  const book = createBook();
  book.subscribe(crm);
  assert.throws(() => book.subscribe(crm), { code: 'duplicate-subscription' });
});

test('only what is there can be cancelled, and only after it has started', () => {
  const book = createBook();
  book.subscribe(crm);
  assert.throws(() => book.cancel('van', '2026-05-01'), { code: 'unknown-subscription' });
  assert.throws(() => book.cancel('crm', '2026-01-21'), { code: 'bad-subscription' });
});

test('a subscription without an id, or with a discount that makes no sense, is refused', () => {
  const book = createBook();
  assert.throws(() => book.subscribe({ ...crm, id: '' }), { code: 'bad-subscription' });
  assert.throws(() => book.subscribe({ ...crm, discount: 101 }), { code: 'bad-subscription' });
});

test('a quote is what the subscription then costs', () => {
  const book = createBook({ now });
  const quoted = book.quote(van, '2026-Q1');
  book.subscribe(van);
  assert.deepEqual(book.statement('2026-Q1').total, quoted);
});

test('a quote does not subscribe', () => {
  const book = createBook();
  book.quote(van, '2026-Q1');
  assert.deepEqual(book.subscriptions(), []);
});

test('a forecast is the totals of the statements to come', () => {
  const book = createBook({ now });
  book.subscribe(crm);
  book.subscribe(van);
  const forecast = book.forecast('2026-12', 2);
  assert.deepEqual(
    forecast,
    ['2026-12', '2027-01'].map((month) => ({ month, total: book.statement(month).total })),
  );
});

test('a forecast ends with the subscription', () => {
  const book = createBook({ now });
  book.subscribe({ ...crm, end: '2026-03-01' });
  assert.deepEqual(
    book.forecast('2026-02', 2).map(({ total }) => total.minor),
    [3000, 0],
  );
});

test('a book survives being saved as JSON', () => {
  const book = createBook({ name: 'Acme', currency: 'GBP', zone: 'Europe/London', netDays: 14, now });
  book.subscribe(crm);
  book.subscribe(van);
  book.cancel('van', '2026-04-15');
  const restored = restoreBook(JSON.parse(JSON.stringify(book.snapshot())), { now });
  assert.deepEqual(restored.statement('2026-Q1'), book.statement('2026-Q1'));
  assert.deepEqual(restored.statement('2026-04'), book.statement('2026-04'));
  assert.deepEqual(restored.snapshot(), book.snapshot());
});

test('a snapshot holds only what is set', () => {
  const book = createBook({ netDays: 14 });
  book.subscribe({ ...crm, memo: '' });
  assert.deepEqual(book.snapshot(), {
    version: 2,
    account: { currency: 'EUR', zone: 'UTC', netDays: 14 },
    subscriptions: [
      {
        id: 'crm',
        plan: 'CRM',
        price: 3000,
        rule: { frequency: 'monthly', interval: 1, monthDay: 1 },
        start: '2026-01-21',
      },
    ],
  });
});

test('a snapshot that was edited wrongly is refused', () => {
  const book = createBook();
  book.subscribe(crm);
  const [saved] = book.snapshot().subscriptions;
  const broken = { ...book.snapshot(), subscriptions: [{ ...saved, rule: { frequency: 'hourly' } }] };
  assert.throws(() => restoreBook(broken), { code: 'bad-rule' });
  assert.throws(() => restoreBook({ ...book.snapshot(), version: 1 }), { code: 'bad-snapshot' });
});
