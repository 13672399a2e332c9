import type { FoundSecret } from '../domain/ports/secrets.ts';

/** Shorter ones, and words without a digit up to this length, would strike out ordinary text. */
const SHORTEST = 8;
const SURELY_NO_WORD = 16;

/** Finds these values, also in base64, in a URL, or in JSON. A key of several lines is found by each of its lines. */
export function matcherOf(values: (string | undefined)[]): (text: string) => FoundSecret[] {
  const wanted = [...new Set(values.flatMap((value) => (value === undefined ? [] : spellings(value))))];
  return (text) => wanted.flatMap((value) => placesOf(value, text));
}

function spellings(value: string): string[] {
  const lines = value
    .split(/\\n|\s/)
    .filter((line) => !line.includes('-----'))
    .filter((line) => line.length >= SURELY_NO_WORD || (line.length >= SHORTEST && /\d/.test(line)));
  return lines.flatMap((line) => [
    line,
    encodeURIComponent(line),
    JSON.stringify(line).slice(1, -1),
    ...[0, 1, 2].map((shift) => base64At(line, shift)),
  ]);
}

/** The characters that are the same wherever the value stands in what was encoded, for one of three alignments. */
function base64At(value: string, shift: number): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]).toString('base64');
  const first = Math.ceil((shift * 8) / 6);
  const whole = Math.floor(((shift + Buffer.byteLength(value)) * 8) / 6);
  return encoded.slice(first, whole);
}

function placesOf(value: string, text: string): FoundSecret[] {
  const places: FoundSecret[] = [];
  for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length)) {
    places.push({ kind: "one of the operator's secrets", start, end: start + value.length });
  }
  return places;
}
