import { isFlag, joinsEmoji, joinsLetters, varies } from '../domain/character-sequences.ts';
import type { Disclosure } from './disclosure.ts';

/** Anything that needs a closer look; most texts hold none of it. */
const SUSPECT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb]/u;

/**
 * Drops characters that a reader cannot see and tells what they were. Emoji sequences, joiners of the scripts that need
 * them, paired direction marks and right-to-left text stay as they are.
 */
export function withoutHiddenCharacters(text: string, disclosure: Disclosure): string {
  if (!SUSPECT.test(text)) return text;
  const wellFormed = text.toWellFormed().replace(/[\u2028\u2029]/g, '\n');
  return wellFormed
    .split('\n')
    .map((line) => (SUSPECT.test(line) ? cleanedLine(line, disclosure) : line))
    .join('\n');
}

function cleanedLine(line: string, disclosure: Disclosure): string {
  const chars = [...line];
  const context = { paired: pairedDirections(chars), rightToLeft: RIGHT_TO_LEFT.test(line) };
  const dropped = new Map<Kind, string[]>();
  const kept: string[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string;
    const kind = SUSPECT.test(char) ? hiddenKind(chars, at, context) : undefined;
    if (kind === undefined) kept.push(char);
    else if (kind !== 'control') drop(dropped, kind, char);
  }
  for (const [kind, characters] of dropped) report(kind, characters, disclosure);
  return kept.join('');
}

function drop(dropped: Map<Kind, string[]>, kind: Kind, char: string): void {
  const same = dropped.get(kind);
  if (same) same.push(char);
  else dropped.set(kind, [char]);
}

interface LineContext {
  /** Offsets of direction marks that belong together. */
  paired: ReadonlySet<number>;
  rightToLeft: boolean;
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** What a character hides as; undefined when it has its place here. */
function hiddenKind(chars: string[], at: number, context: LineContext): Kind | 'control' | undefined {
  const code = (chars[at] as string).codePointAt(0) as number;
  if (code < 0xa0 || (code >= 0xd800 && code <= 0xdfff)) return 'control';
  const kind = kindOf(code);
  return hasItsPlace(kind, chars, at, context) ? undefined : kind;
}

type Kind =
  | 'tag characters'
  | 'variation selectors'
  | 'direction overrides'
  | 'unpaired direction marks'
  | 'direction marks'
  | 'zero-width characters';

function kindOf(code: number): Kind {
  if (code >= 0xe0000 && code <= 0xe007f) return 'tag characters';
  if (isVariationSelector(code)) return 'variation selectors';
  if (code === 0x202d || code === 0x202e) return 'direction overrides';
  if (DIRECTION_OPEN.has(code) || DIRECTION_CLOSE.has(code)) return 'unpaired direction marks';
  if (code === 0x200e || code === 0x200f || code === 0x061c) return 'direction marks';
  return 'zero-width characters';
}

function hasItsPlace(kind: Kind, chars: string[], at: number, context: LineContext): boolean {
  if (kind === 'tag characters') return isFlag(chars, at);
  if (kind === 'variation selectors') return varies(chars, at);
  if (kind === 'unpaired direction marks') return context.paired.has(at);
  if (kind === 'direction marks') return context.rightToLeft;
  const joiner = chars[at] === '\u200c' || chars[at] === '\u200d';
  return joiner && (joinsLetters(chars, at) || (chars[at] === '\u200d' && joinsEmoji(chars, at)));
}

const isVariationSelector = (code: number): boolean =>
  (code >= 0xfe00 && code <= 0xfe0f) ||
  (code >= 0xe0100 && code <= 0xe01ef) ||
  (code >= 0x180b && code <= 0x180f && code !== 0x180e);

const DIRECTION_OPEN = new Map([
  [0x202a, 0x202c],
  [0x202b, 0x202c],
  [0x2066, 0x2069],
  [0x2067, 0x2069],
  [0x2068, 0x2069],
]);
const DIRECTION_CLOSE = new Set([0x202c, 0x2069]);

/** Offsets of embeddings and isolates that are closed on their line, and of what closes them. */
function pairedDirections(chars: string[]): Set<number> {
  const paired = new Set<number>();
  const open: { at: number; close: number }[] = [];
  chars.forEach((char, at) => {
    const code = char.codePointAt(0) as number;
    const close = DIRECTION_OPEN.get(code);
    if (close !== undefined) open.push({ at, close });
    if (!DIRECTION_CLOSE.has(code) || open.at(-1)?.close !== code) return;
    paired.add((open.pop() as { at: number }).at).add(at);
  });
  return paired;
}

function report(kind: Kind, characters: string[], disclosure: Disclosure): void {
  // A stray mark comes along when text is copied from a browser or a file dialog.
  if (kind === 'direction marks' && characters.length <= 4) return;
  const readable = kind === 'tag characters' ? characters.map(asAscii).join('') : characters.join('');
  disclosure.add(kind, readable, characters.length);
}

/** Tag characters repeat ASCII at another place: what they spell is what was to be hidden. */
function asAscii(char: string): string {
  const code = (char.codePointAt(0) as number) - 0xe0000;
  return code >= 32 && code < 127 ? String.fromCodePoint(code) : char;
}
