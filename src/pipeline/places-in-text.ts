import type { Location } from '../domain/finding.ts';

const MOST_PLACES = 20;
const MOST_CHARACTERS = 40_000;

/** The places that a text names as `path:3` or `path:3-7`, each once. A time of day or an address is none. */
export function placesIn(text: string): Location[] {
  const places = new Map<string, Location>();
  for (const word of text.slice(0, MOST_CHARACTERS).split(/[\s`'"()[\]{},;<>]+/)) {
    const place = placeOf(word);
    if (place) places.set(`${place.path}:${place.startLine}-${place.endLine}`, place);
    if (places.size >= MOST_PLACES) break;
  }
  return [...places.values()];
}

function placeOf(word: string): Location | undefined {
  if (word.length > 400 || word.includes('://')) return undefined;
  const [path = '', span = '', ...rest] = word.replace(/[.:]+$/, '').split(':');
  if (rest.length > 0 || !/[\p{L}_].*[./]|[./].*\p{L}/u.test(path.slice(-80))) return undefined;
  const [first = '', last = first, ...more] = span.split(/[-–]/);
  if (more.length > 0 || !isLine(first) || !isLine(last.replace(/^L/, ''))) return undefined;
  const startLine = Number(first.replace(/^L/, ''));
  return { path, startLine, endLine: Math.max(startLine, Number(last.replace(/^L/, ''))) };
}

const isLine = (text: string): boolean => /^L?[1-9]\d{0,6}$/.test(text);
