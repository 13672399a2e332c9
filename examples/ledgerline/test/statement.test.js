import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPeriods } from '../src/billing/periods.js';
import { parseWindow } from '../src/calendar/window.js';
import { createBook, subtotals } from '../src/index.js';
import { parseRule } from '../src/recurrence/parse-rule.js';

const now = () => new Date('2026-04-30T22:30:00Z');

test('a full month costs the price', () => {
  const { charges, total } = bookWith({ id: 'crm', price: '30.00', every: 'monthly', start: '2026-01-01' }).statement(
    '2026-04',
  );
  assert.equal(total.minor, 3000);
  assert.deepEqual(
    charges.map(({ from, until, prorated }) => [from, until, prorated]),
    [['2026-04-01', '2026-05-01', false]],
  );
});

test('a first period that is cut short costs its share', () => {
  const book = bookWith({ id: 'crm', price: '30.00', every: 'monthly on the 1st', start: '2026-04-21' });
  assert.equal(book.statement('2026-04').total.minor, 1000);
  assert.equal(book.statement('2026-05').total.minor, 3000);
});

test('a subscription that ends within a period costs its share', () => {
  const book = bookWith({ id: 'crm', price: '30.00', every: 'monthly', start: '2026-01-01' });
  book.cancel('crm', '2026-04-11');
  assert.equal(book.statement('2026-04').total.minor, 1000);
  assert.equal(book.statement('2026-05').total.minor, 0);
});

test('a subscription may end before its first boundary', () => {
  const book = bookWith({
    id: 'crm',
    price: '30.00',
    every: 'monthly on the 1st',
    start: '2026-04-11',
    end: '2026-04-13',
  });
  assert.equal(book.statement('2026').total.minor, 200);
});

test('a period belongs to the window that it begins in', () => {
  const book = bookWith({ id: 'van', price: '70.00', every: 'weekly on monday', start: '2026-04-27' });
  assert.equal(book.statement('2026-04').total.minor, 7000);
  assert.equal(book.statement('2026-05-01/2026-05-04').total.minor, 0);
});

test('a discount comes off before the share is taken', () => {
  const book = bookWith({ id: 'crm', price: '9.99', every: 'monthly on the 1st', start: '2026-04-16', discount: 50 });
  assert.equal(book.statement('2026-04').total.minor, 250);
});

test('subscriptions that start together are charged by their own rules', () => {
  const book = bookWith(
    { id: 'weekly', price: '7.00', every: 'weekly', start: '2026-04-01' },
    { id: 'friday', price: '7.00', every: 'weekly on friday', start: '2026-04-01' },
    { id: 'monthly', price: '30.00', every: 'monthly', start: '2026-04-01' },
  );
  const totals = subtotals(book.statement('2026-04')).map(({ subscription, total }) => [subscription, total.minor]);
  assert.deepEqual(totals, [
    ['weekly', 3500],
    ['friday', 3000],
    ['monthly', 3000],
  ]);
});

test('the total is the sum of the subtotals', () => {
  const book = bookWith(
    { id: 'a', price: '10.01', every: 'weekly on tuesday', start: '2026-04-01' },
    { id: 'b', price: '33.33', every: 'monthly on the 10th', start: '2026-03-20' },
  );
  const statement = book.statement('2026-Q2');
  const parts = subtotals(statement).reduce((total, part) => total + part.total.minor, 0);
  assert.equal(statement.total.minor, parts);
});

test('a statement is issued on the date it is in the zone of the account', () => {
  const berlin = createBook({ zone: 'Europe/Berlin', netDays: 14, now }).statement('2026-04');
  assert.deepEqual([berlin.issued, berlin.due], ['2026-05-01', '2026-05-15']);
  const utc = createBook({ netDays: 0, now }).statement('2026-04');
  assert.deepEqual([utc.issued, utc.due], ['2026-04-30', '2026-04-30']);
});

test('the periods of any rule lie end to end from the start of the subscription', () => {
  const periods = createPeriods();
  const rules = [
    'daily',
    'weekly',
    'fortnightly on thursday',
    'every 3 weeks on saturday',
    'monthly',
    'monthly on the last day',
    'quarterly on the 5th',
  ];
  for (const words of rules) {
    for (let day = 1; day <= 31; day += 1) {
      const start = `2026-01-${String(day).padStart(2, '0')}`;
      const found = periods.within({ rule: parseRule(words), start }, parseWindow('2026-01-01/2027-06-01'));
      assert.equal(found[0].from, start);
      assert.ok(
        found.slice(1).every((period, index) => period.from === found[index].until),
        `${words} from ${start}`,
      );
      assert.ok(
        found.slice(1).every((period) => period.days === period.fullDays),
        `${words} from ${start}`,
      );
    }
  }
});

test('asking again gives the same periods without searching again', () => {
  const periods = createPeriods();
  const ask = () => periods.within({ rule: parseRule('monthly'), start: '2020-01-01' }, parseWindow('2026-04'));
  assert.equal(ask(), ask());
});

function bookWith(...entries) {
  const book = createBook({ now });
  for (const entry of entries) book.subscribe(entry);
  return book;
}
