import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currencyOf } from '../src/money/currencies.js';
import { add, money, multiply, reduceByPercent, sum } from '../src/money/money.js';
import { divideHalfEven } from '../src/money/rounding.js';
import { formatMoney, parseMoney } from '../src/money/text.js';

test('currency codes are read in any case', () => {
  assert.deepEqual(currencyOf(' eur '), { code: 'EUR', decimals: 2, sign: '€' });
});

test('an unknown currency is refused', () => {
  assert.throws(() => currencyOf('XXX'), { code: 'unknown-currency' });
});

test('division rounds to the nearest integer and ties to the even one', () => {
  const cases = [
    [7n, 3n, 2n],
    [8n, 3n, 3n],
    [5n, 2n, 2n],
    [7n, 2n, 4n],
    [-5n, 2n, -2n],
    [-7n, 2n, -4n],
    [-8n, 3n, -3n],
    [7n, -2n, -4n],
    [0n, 5n, 0n],
  ];
  for (const [dividend, divisor, expected] of cases) {
    assert.equal(divideHalfEven(dividend, divisor), expected, `${dividend} / ${divisor}`);
  }
});

test('division by zero is refused', () => {
  assert.throws(() => divideHalfEven(1n, 0n), RangeError);
});

test('amounts add up within a currency only', () => {
  assert.deepEqual(add(money(150, 'EUR'), money(-50, 'EUR')), money(100, 'EUR'));
  assert.deepEqual(sum([], 'EUR'), money(0, 'EUR'));
  assert.throws(() => add(money(1, 'EUR'), money(1, 'USD')), { code: 'mixed-currencies' });
});

test('amounts are whole numbers of minor units', () => {
  assert.throws(() => money(0.5, 'EUR'), { code: 'bad-amount' });
});

test('a share of a large amount is exact', () => {
  assert.equal(multiply(money(900_719_925_474_099, 'JPY'), 6, 9).minor, 600_479_950_316_066);
});

test('a percentage may have two decimals', () => {
  assert.equal(reduceByPercent(money(10_000, 'EUR'), 12.25).minor, 8775);
  assert.equal(reduceByPercent(money(10_000, 'EUR'), 100).minor, 0);
});

test('amounts are read and written with the decimals of their currency', () => {
  const cases = [
    ['84', 'EUR', 8400, '84.00'],
    ['-0.5', 'USD', -50, '-0.50'],
    ['1200', 'JPY', 1200, '1200'],
    ['1.005', 'KWD', 1005, '1.005'],
    ['0', 'EUR', 0, '0.00'],
    ['-0.00', 'EUR', 0, '0.00'],
  ];
  for (const [text, currency, minor, written] of cases) {
    const amount = parseMoney(text, currency);
    assert.equal(amount.minor, minor, text);
    assert.equal(formatMoney(amount), written);
  }
});

test('the decimal mark and the sign of the currency can be chosen', () => {
  assert.equal(formatMoney(money(-123_456, 'GBP'), { decimal: ',', sign: true }), '-£ 1234,56');
});

test('an amount that cannot be paid is refused', () => {
  for (const [text, currency] of [
    ['1.005', 'EUR'],
    ['1.5', 'JPY'],
    ['1,50', 'EUR'],
    ['', 'EUR'],
    ['NaN', 'EUR'],
  ]) {
    assert.throws(() => parseMoney(text, currency), { code: 'bad-amount' }, text);
  }
});
