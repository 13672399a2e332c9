import type { FoundSecret } from '../domain/ports/secrets.ts';

// Every repetition is bounded, or cannot match what follows it: the time stays linear on any text.
const FORMATS: [kind: string, pattern: RegExp][] = [
  ['GitHub Token', /(?:gh[pousr]_|github_pat_)[A-Za-z0-9_.-]{30,600}/g],
  ['API key', /\bsk-[A-Za-z0-9_-]{32,300}/g],
  ['JSON Web Token', /\beyJ[\w-]{10,400}\.eyJ[\w-]{10,2000}\.[\w-]{16,2000}/g],
];

/** What secretlint does not find: newer and cut tokens, and keys in a diff, in a quotation or without their end. */
export function ownFormats(text: string): FoundSecret[] {
  const byPattern = FORMATS.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].map(({ index, 0: match }) => ({ kind, start: index, end: index + match.length })),
  );
  return [...byPattern, ...privateKeys(text)];
}

const LONGEST_KEY = 8 * 1024;
const BEGIN = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----/g;
/** A line of base64, whatever marks of a diff, a quotation or an escaped line end stand before it. */
const KEY_LINE = /^[\s>+*"'\\nr-]{0,12}[A-Za-z0-9+/]{20,}={0,2}[\s"'\\nr,;]*$/;

function privateKeys(text: string): FoundSecret[] {
  const keys: FoundSecret[] = [];
  for (const { index, 0: head } of text.matchAll(BEGIN)) {
    const from = index + head.length;
    const length = keyLength(text.slice(from, from + LONGEST_KEY));
    if (length > 0) keys.push({ kind: 'private key', start: index, end: from + length });
  }
  return keys;
}

/** Characters after the first line that belong to the key; 0 where that line was only spoken of. */
function keyLength(rest: string): number {
  const end = /-----END [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----/.exec(rest);
  const body = end === null ? rest : rest.slice(0, end.index);
  if (end !== null && /[A-Za-z0-9+/]{20}/.test(body)) return end.index + end[0].length;
  let length = 0;
  for (const part of body.split(/(\n|\\n)/)) {
    const counts = part === '' || part === '\n' || part === '\\n' || part === '\r' || KEY_LINE.test(part);
    if (!counts) break;
    length += part.length;
  }
  return /[A-Za-z0-9+/]{20}/.test(body.slice(0, length)) ? length : 0;
}
