// A reply may be as long as a model likes: bound the work, which is at most this many scans of the text.
const MAX_CANDIDATES = 64;
const MAX_CHARACTERS = 400_000;

const DEPTHS: Record<string, number> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** A JSON value with the characters that it was read from. */
export interface JsonSpan {
  value: unknown;
  source: string;
}

/** The values of `jsonSpansIn`. */
export const jsonValuesIn = (text: string): unknown[] => jsonSpansIn(text).map(({ value }) => value);

/** The outermost JSON objects and arrays that stand in a text, in order; what does not parse is passed over. */
export function jsonSpansIn(text: string): JsonSpan[] {
  const spans: JsonSpan[] = [];
  const bounded = text.slice(0, MAX_CHARACTERS);
  let from = 0;
  for (let tried = 0; tried < MAX_CANDIDATES; tried++) {
    const start = nextOpening(bounded, from);
    if (start < 0) break;
    const end = closingOf(bounded, start);
    const source = bounded.slice(start, end + 1);
    const value = end < 0 ? undefined : parseJson(source);
    if (value === undefined) from = start + 1;
    else {
      spans.push({ value, source });
      from = end + 1;
    }
  }
  return spans;
}

/**
 * Parses JSON as models write it: strict first, then with raw line breaks inside strings and commas before a closing
 * bracket allowed. Undefined where that does not help either.
 */
export function parseJson(text: string): unknown {
  return strictJson(text) ?? strictJson(mended(text));
}

export function strictJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// No tool wants as much; what walks over a value afterwards would run out of stack.
const MAX_DEPTH = 50;

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '"') inString = !inString;
    else if (inString) at += character === '\\' ? 1 : 0;
    else depth += DEPTHS[character] ?? 0;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

const nextOpening = (text: string, from: number): number => {
  const places = [text.indexOf('{', from), text.indexOf('[', from)].filter((place) => place >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
};

function closingOf(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '"') inString = !inString;
    else if (inString) at += character === '\\' ? 1 : 0;
    else depth += DEPTHS[character] ?? 0;
    if (depth === 0) return at;
  }
  return -1;
}

const ESCAPES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function mended(text: string): string {
  const parts: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (inString && character === '\\') {
      parts.push(character, text[++at] ?? '');
      continue;
    }
    if (character === '"') inString = !inString;
    if (inString) parts.push(ESCAPES[character] ?? character);
    else if (character !== ',' || !closesNext(text, at + 1)) parts.push(character);
  }
  return parts.join('');
}

function closesNext(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && ' \n\r\t'.includes(text[at] ?? '')) at++;
  return text[at] === '}' || text[at] === ']';
}
