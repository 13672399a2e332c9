import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, addMonths, daysBetween, plainDate, weekdayOf } from '../src/calendar/plain-date.js';
import { monthsFrom, parseWindow } from '../src/calendar/window.js';
import { dateInZone, timeZone } from '../src/calendar/zone.js';

test('a date must exist', () => {
  assert.equal(plainDate('2028-02-29'), '2028-02-29');
  for (const text of ['2026-02-29', '2026-13-01', '2026-4-1', '01.04.2026', '', undefined]) {
    assert.throws(() => plainDate(text), { code: 'bad-date' }, String(text));
  }
});

test('days are counted across the change to summer time and the leap day', () => {
  assert.equal(addDays('2026-03-28', 2), '2026-03-30');
  assert.equal(addDays('2028-03-01', -1), '2028-02-29');
  assert.equal(daysBetween('2026-01-01', '2027-01-01'), 365);
  assert.equal(daysBetween('2026-04-05', '2026-04-01'), -4);
});

test('weekdays count from Sunday', () => {
  assert.equal(weekdayOf('2026-04-05'), 0);
  assert.equal(weekdayOf('2026-04-11'), 6);
});

test('a month later is the last day where the month is too short', () => {
  assert.equal(addMonths('2026-01-31', 1), '2026-02-28');
  assert.equal(addMonths('2026-02-28', 1, 31), '2026-03-31');
  assert.equal(addMonths('2026-01-15', -2), '2025-11-15');
  assert.equal(addMonths('2028-02-29', 12), '2029-02-28');
});

test('adding days walks through four centuries without a gap', () => {
  let date = '1900-01-01';
  for (let weekday = 1; date < '2300-01-01'; weekday = (weekday + 1) % 7) {
    assert.equal(weekdayOf(date), weekday);
    date = addDays(date, 1);
  }
});

test('windows are read as a year, a quarter, a month or a span', () => {
  assert.deepEqual(parseWindow('2026'), { from: '2026-01-01', until: '2027-01-01' });
  assert.deepEqual(parseWindow('2026-Q4'), { from: '2026-10-01', until: '2027-01-01' });
  assert.deepEqual(parseWindow('2026-02'), { from: '2026-02-01', until: '2026-03-01' });
  assert.deepEqual(parseWindow('2026-04-10/2026-04-24'), { from: '2026-04-10', until: '2026-04-24' });
});

test('a window that is empty or unreadable is refused', () => {
  assert.throws(() => parseWindow('2026-04-10/2026-04-10'), { code: 'bad-window' });
  assert.throws(() => parseWindow('April'), { code: 'bad-window' });
  assert.throws(() => parseWindow('2026-13'), { code: 'bad-date' });
});

test('months follow each other across the year', () => {
  assert.deepEqual(
    monthsFrom('2026-11', 3).map((window) => window.from),
    ['2026-11-01', '2026-12-01', '2027-01-01'],
  );
});

test('the same instant is another date elsewhere', () => {
  const instant = new Date('2026-04-30T22:30:00Z');
  assert.equal(dateInZone(instant, 'America/New_York'), '2026-04-30');
  assert.equal(dateInZone(instant, 'Europe/Berlin'), '2026-05-01');
  assert.equal(dateInZone(instant, 'Asia/Seoul'), '2026-05-01');
});

test('an unknown time zone is refused', () => {
  assert.throws(() => timeZone('Mars/Olympus'), { code: 'unknown-zone' });
});
