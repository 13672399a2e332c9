const WORD = /[A-Za-z_\u00aa-\uffff][\w\u00aa-\uffff]*/g;

/** Words that say nothing about a place in code. */
const STOP = new Set(
  (
    'the a an of to in is it and or for on with this that be as are i we you not but if from at by have has was can will would ' +
    'should there when which what how do does so my your they their its than then also use using used like just some any all ' +
    'no one two get error issue bug code example expected actual behavior following version def class return self import ' +
    'function const let var new true false none null'
  ).split(' '),
);

/**
 * Words of a text for comparing: identifiers split at case and underscores, lower case, endings off; the whole of a
 * compound identifier as a further word, marked "=".
 */
export class Words {
  private readonly known = new Map<string, readonly string[]>();

  of(text: string): string[] {
    const words: string[] = [];
    for (const word of text.match(WORD) ?? []) words.push(...this.parts(word));
    return words;
  }

  private parts(word: string): readonly string[] {
    if (word.length > 80) return [];
    const known = this.known.get(word);
    if (known) return known;
    const parts = split(word);
    const words = parts.filter((part) => part.length > 1 && !STOP.has(part)).map(stem);
    if (parts.length > 1) words.push(`=${word.toLowerCase()}`);
    if (this.known.size < 200_000) this.known.set(word, words);
    return words;
  }
}

/** `parseHTTPBody_v2` as parse, http, body, v2. */
function split(word: string): string[] {
  return word
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .filter((part) => part !== '');
}

/** Endings off: `routes`, `routed` and `routing` are one word. Cut the same everywhere, so it need not be right. */
function stem(word: string): string {
  if (word.length <= 4) return word.length === 4 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|z|ch|sh)es$/, '$1')
    .replace(/([^siu])s$/, '$1');
  const cut = singular.replace(/(?:ing|ed|ly|ion|er)$/, '');
  return (cut.length >= 3 ? cut : singular).replace(/e$/, '');
}
