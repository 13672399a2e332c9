import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundaries, boundaryBefore } from '../src/recurrence/boundaries.js';
import { parseRule } from '../src/recurrence/parse-rule.js';
import { checkRule } from '../src/recurrence/rule.js';

const rule = (fields) => ({ interval: 1, weekday: undefined, monthDay: undefined, ...fields });

test('rules are read from words', () => {
  const cases = {
    daily: rule({ frequency: 'daily' }),
    weekly: rule({ frequency: 'weekly' }),
    '  Weekly   on SUNDAY ': rule({ frequency: 'weekly', weekday: 0 }),
    'fortnightly on friday': rule({ frequency: 'weekly', interval: 2, weekday: 5 }),
    'every 10 days': rule({ frequency: 'daily', interval: 10 }),
    'every week on monday': rule({ frequency: 'weekly', weekday: 1 }),
    'monthly on the 15th': rule({ frequency: 'monthly', monthDay: 15 }),
    'quarterly on the last day': rule({ frequency: 'monthly', interval: 3, monthDay: 31 }),
    'every 2 years': rule({ frequency: 'monthly', interval: 24 }),
  };
  for (const [text, expected] of Object.entries(cases)) assert.deepEqual(parseRule(text), expected, text);
});

test('a rule that says nothing sensible is refused', () => {
  const texts = [
    '',
    'hourly',
    'every 0 weeks',
    'daily on monday',
    'weekly on the 3rd',
    'monthly on the 32nd',
    'weekly on',
  ];
  for (const text of [...texts, 'weekly on monday on friday', 'constructor']) {
    assert.throws(() => parseRule(text), { code: 'bad-rule' }, text);
  }
});

test('a rule from outside is checked', () => {
  assert.deepEqual(checkRule({ frequency: 'weekly' }), rule({ frequency: 'weekly' }));
  assert.throws(() => checkRule({ frequency: 'weekly', weekday: 7 }), { code: 'bad-rule' });
  assert.throws(() => checkRule({ frequency: 'monthly', interval: 1.5 }), { code: 'bad-rule' });
});

test('a rule without a day follows the start', () => {
  assert.deepEqual(take(4, 'weekly', '2026-04-01'), ['2026-04-01', '2026-04-08', '2026-04-15', '2026-04-22']);
  assert.deepEqual(take(3, 'every 10 days', '2026-02-25'), ['2026-02-25', '2026-03-07', '2026-03-17']);
});

test('a weekday is looked for from the start on', () => {
  assert.deepEqual(take(2, 'weekly on wednesday', '2026-04-01'), ['2026-04-01', '2026-04-08']);
  assert.deepEqual(take(2, 'weekly on tuesday', '2026-04-01'), ['2026-04-07', '2026-04-14']);
  assert.deepEqual(take(2, 'weekly on sunday', '2026-04-01'), ['2026-04-05', '2026-04-12']);
  assert.deepEqual(take(2, 'fortnightly on friday', '2026-04-01'), ['2026-04-03', '2026-04-17']);
});

test('the 31st comes back after a short month', () => {
  const expected = ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'];
  assert.deepEqual(take(4, 'monthly', '2026-01-31'), expected);
  assert.deepEqual(take(4, 'monthly on the last day', '2026-01-10'), expected);
});

test('a day of the month that has passed waits for the next month', () => {
  assert.deepEqual(take(2, 'monthly on the 15th', '2026-04-20'), ['2026-05-15', '2026-06-15']);
});

test('the boundary before the first is one step back', () => {
  assert.equal(boundaryBefore(parseRule('weekly on friday'), '2026-04-01'), '2026-03-27');
  assert.equal(boundaryBefore(parseRule('monthly on the 31st'), '2026-03-10'), '2026-02-28');
});

function take(count, words, start) {
  const dates = boundaries(parseRule(words), start);
  return Array.from({ length: count }, () => dates.next().value);
}
