/** Words of a question in any script, lower case; code in backticks is words as well. */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}_]+/u)
    .filter(Boolean);

/** A question's prose: a word stands in for each piece of code in backticks, which is quoted and points at nothing. */
export const proseOf = (text: string): string => text.split('`').filter(isOutside).join(' code_ ');

/** The words of the code in backticks. */
export const codeWordsOf = (text: string): Set<string> =>
  new Set(text.split('`').flatMap((part, at) => (isOutside(part, at) ? [] : wordsOf(part))));

const isOutside = (_: string, at: number): boolean => at % 2 === 0;

/**
 * What tells a question from others, in scripts with and without spaces: words that are not common; of Korean words their
 * first two syllables, without particles and endings; of Chinese characters each two neighbours; Japanese endings are
 * left out.
 */
export function tellingWords(text: string): Set<string> {
  const pieces = wordsOf(text).flatMap((word) => word.match(SCRIPTS) ?? []);
  return new Set(pieces.flatMap(unitsOf).filter((unit) => !COMMON_WORDS.has(unit)));
}

const SCRIPTS =
  /\p{Script=Han}+|\p{Script=Hiragana}+|[\p{Script=Katakana}ー]+|\p{Script=Hangul}+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}]+/gu;

function unitsOf(piece: string): string[] {
  if (/^\p{Script=Hiragana}/u.test(piece)) return [];
  if (/^\p{Script=Hangul}/u.test(piece)) return [[...piece].slice(0, 2).join('')];
  if (!/^\p{Script=Han}/u.test(piece)) return [piece];
  return piece.split(CHINESE_GRAMMAR).flatMap(pairsOf);
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

const CHINESE_GRAMMAR = /[的了是在和与或吗呢哪些如何什么为会被把对时其这那个由于从到中怎样有它]/u;

const COMMON_WORDS = new Set(
  [
    'a an and are as at be by can do does for from has have how if in into is it its of on or that the their this to used uses using was what when where which why will with within',
    // German
    'als am an auf aus bei beim das dass dem den der des die durch ein eine einem einen einer es für hat im in ist kann man mit nach oder sich sie sind um und vom von wann warum was welche welchem welchen welcher welches wenn wer werden wie wird wo zu zum zur',
    // Spanish, Portuguese
    'al como cómo con cual cuál cuales cuáles cuando cuándo de del donde dónde el en entre es esta este está la las lo los o para por porque qué que quien quién se según ser si sin son su sus un una y a ao aos as com da das do dos e em na nas no nos onde os ou pela pelo qual quais quando sao são são um uma é',
    // French
    'au aux ce cette comment dans des du elle est et il la le les leur lorsque ne ou où par pas pour pourquoi quand que quel quelle quelles quels qui quoi sa se ses son sont sur un une d l',
    // Russian
    'в во для и из или к как какая какие какой какую когда на не о от по при с со то что чтобы это где почему у ли',
    // Korean, as two syllables
    '왜 때 및 수 어떤 어떻 무엇 무슨 어디 언제 누가 어느 그리 또는 있는 하는 되는 경우 의해 대한 대해 위해 사이 이는',
  ].flatMap((words) => words.split(' ')),
);
