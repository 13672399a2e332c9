/**
 * A bounded cache that forgets what was used longest ago.
 *
 * @param {number} limit most entries to keep, at least 1
 */
export function createLruCache(limit) {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RangeError(`A cache needs room for at least one entry, got ${limit}`);
  }
  const entries = new Map();

  return {
    get size() {
      return entries.size;
    },

    /** The stored value for `key`, or the one `create` makes, which is then stored. */
    getOrCreate(key, create) {
      const value = entries.has(key) ? entries.get(key) : create();
      // A Map iterates in insertion order, so writing again moves the entry to the young end.
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > limit) entries.delete(entries.keys().next().value);
      return value;
    },

    clear() {
      entries.clear();
    },
  };
}
