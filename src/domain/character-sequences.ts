/** Where invisible characters belong: Unicode's emoji sequences (UTS #51) and the scripts that join letters. */

const PICTURE = /\p{Extended_Pictographic}/u;
const SKIN = /\p{Emoji_Modifier}/u;
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const IDEOGRAPH = /[\p{Script=Han}\p{Sm}\p{Script=Mongolian}\p{Script=Myanmar}\p{Script=Phags_Pa}]/u;

/** A joiner between two letters of a script that needs it. */
export function joinsLetters(chars: readonly string[], at: number): boolean {
  return JOINING.test(chars[at - 1] ?? '') && /[\p{L}\p{M}\s\p{P}]|^$/u.test(chars[at + 1] ?? '');
}

/** A joiner between two pictures; a selector or a skin tone may follow the first. */
export function joinsEmoji(chars: readonly string[], at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (SKIN.test(chars[before] as string) || chars[before] === '\ufe0f')) before--;
  return PICTURE.test(chars[before] ?? '') && PICTURE.test(chars[at + 1] ?? '');
}

/** One selector right after a character that has variants: an emoji or symbol, an ideograph, a digit of a keycap. */
export function varies(chars: readonly string[], at: number): boolean {
  const code = (chars[at] as string).codePointAt(0) as number;
  const base = chars[at - 1] ?? '';
  if (code === 0xfe0e || code === 0xfe0f) return /[\p{Emoji}\p{S}\p{Po}\p{Pd}]/u.test(base) && base !== '';
  return IDEOGRAPH.test(base);
}

/** Inside a flag of a region: a black flag, up to seven tag letters, and the tag that ends them. */
export function isFlag(chars: readonly string[], at: number): boolean {
  let start = at;
  while (start > 0 && at - start < 9 && isTag(chars[start] as string)) start--;
  if (chars[start] !== '\u{1f3f4}') return false;
  let end = start + 1;
  while (end - start < 9 && isTagLetter(chars[end] ?? '')) end++;
  return end - start > 3 && chars[end] === '\u{e007f}' && at <= end;
}

const isTag = (char: string): boolean => /[\u{e0020}-\u{e007f}]/u.test(char);
const isTagLetter = (char: string): boolean => /[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]/u.test(char);
