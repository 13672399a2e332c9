import { isFlag, joinsEmoji, joinsLetters, varies } from '../domain/character-sequences.ts';

/**
 * Characters without a form of their own, or that show their neighbours in another order: soft hyphens, fillers, joiners,
 * variation selectors, tags, bidi controls, separators of lines and annotations, the blank among the Braille patterns.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\u2800\ufff9-\ufffb]/u;

/**
 * Text in which no such character hides anything: each run of them stands as `⟨U+202E⟩` or `⟨U+FE00 and 40 more⟩`. What
 * makes an emoji, a flag, an ideograph's variant or a letter of a script that joins letters stays as it is.
 */
export function withNamedInvisibles(text: string): string {
  if (!INVISIBLE.test(text)) return text;
  const chars = [...text];
  const shown: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    if (run.length > 0) shown.push(nameOf(run));
    run = [];
  };
  chars.forEach((char, at) => {
    if (INVISIBLE.test(char) && !hasItsPlace(chars, at)) {
      run.push(char);
      return;
    }
    endRun();
    shown.push(char);
  });
  endRun();
  return shown.join('');
}

function hasItsPlace(chars: readonly string[], at: number): boolean {
  const code = (chars[at] as string).codePointAt(0) as number;
  if (code === 0xfe0e || code === 0xfe0f) return makesEmoji(chars, at);
  if (code === 0x200d) return joinsLetters(chars, at) || joinsEmoji(chars, at);
  if (code === 0x200c) return joinsLetters(chars, at);
  if (code >= 0xe0000 && code <= 0xe007f) return isFlag(chars, at);
  return IS_SELECTOR.test(chars[at] as string) && varies(chars, at);
}

const PICTURE = /[\p{Extended_Pictographic}\p{S}]/u;
const IS_SELECTOR = /[\ufe00-\ufe0d\u{e0100}-\u{e01ef}\u180b-\u180d\u180f]/u;

/** After a picture or sign, or inside a keycap: `1`, the selector, the cap. After other letters it shows nothing. */
function makesEmoji(chars: readonly string[], at: number): boolean {
  const before = chars[at - 1] ?? '';
  return PICTURE.test(before) || (/[\d#*]/.test(before) && chars[at + 1] === '\u20e3');
}

function nameOf(run: string[]): string {
  const name = `U+${(run[0]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return run.length === 1 ? `⟨${name}⟩` : `⟨${name} and ${run.length - 1} more⟩`;
}
