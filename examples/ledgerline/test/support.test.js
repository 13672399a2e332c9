import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compact } from '../src/support/compact.js';
import { fingerprint } from '../src/support/fingerprint.js';
import { createLruCache } from '../src/support/lru-cache.js';

test('compact leaves out what is not set', () => {
  const fields = { id: 'a1', memo: '', end: undefined, reference: null, tags: [], prorated: false };
  assert.deepEqual(compact(fields), { id: 'a1' });
});

test('compact keeps texts, numbers, lists and flags that are set', () => {
  const fields = { id: 'a1', interval: 2, tags: ['x'], prorated: true };
  assert.deepEqual(compact(fields), fields);
});

test('compact does not touch the object it is given', () => {
  const fields = Object.freeze({ id: 'a1', memo: '' });
  assert.notEqual(compact(fields), fields);
  assert.deepEqual(fields, { id: 'a1', memo: '' });
});

test('a fingerprint does not depend on the order of the fields', () => {
  assert.equal(fingerprint({ start: '2026-04-01', interval: 2 }), fingerprint({ interval: 2, start: '2026-04-01' }));
});

test('an absent field and an undefined one have the same fingerprint', () => {
  assert.equal(fingerprint({ start: '2026-04-01', end: undefined }), fingerprint({ start: '2026-04-01' }));
});

test('fingerprints differ when a value or the name of a field differs', () => {
  const base = fingerprint({ frequency: 'weekly', weekday: 2 });
  assert.notEqual(fingerprint({ frequency: 'weekly', weekday: 3 }), base);
  assert.notEqual(fingerprint({ frequency: 'weekly', monthDay: 2 }), base);
  assert.notEqual(fingerprint({ frequency: 'weekly' }), base);
});

test('a separator inside a value cannot make two fingerprints equal', () => {
  assert.notEqual(fingerprint({ a: '1&b=2' }), fingerprint({ a: '1', b: '2' }));
});

test('a cache makes a value once', () => {
  const cache = createLruCache(2);
  let made = 0;
  const create = () => ++made;
  assert.equal(cache.getOrCreate('a', create), 1);
  assert.equal(cache.getOrCreate('a', create), 1);
});

test('a full cache forgets what was used longest ago', () => {
  const cache = createLruCache(2);
  cache.getOrCreate('a', () => 'first a');
  cache.getOrCreate('b', () => 'first b');
  cache.getOrCreate('a', () => 'unused');
  cache.getOrCreate('c', () => 'first c');
  assert.equal(cache.size, 2);
  assert.equal(
    cache.getOrCreate('a', () => 'second a'),
    'first a',
  );
  assert.equal(
    cache.getOrCreate('b', () => 'second b'),
    'second b',
  );
});

test('a cache without room is refused', () => {
  assert.throws(() => createLruCache(0), RangeError);
});
