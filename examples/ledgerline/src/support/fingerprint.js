import { compact } from './compact.js';

/**
 * One line of text for a flat object, the same for two objects that mean the
 * same: the order of the fields does not matter, and neither does whether an
 * absent field is left out or set to `undefined`.
 *
 * @param {Record<string, unknown>} fields
 * @returns {string}
 */
export function fingerprint(fields) {
  return Object.entries(compact(fields))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}
