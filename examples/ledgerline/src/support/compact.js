/**
 * Copies an object without the fields that say nothing: absent values, empty
 * texts, empty lists and flags that are not set.
 *
 * @param {Record<string, unknown>} fields
 * @returns {Record<string, unknown>}
 */
export function compact(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => saysSomething(value)));
}

function saysSomething(value) {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
