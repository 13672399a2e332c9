/** Small linear readers that the languages share. Each looks at a character once. */

export function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code > 127
  );
}

/** The word at `at`, or "" where none begins. */
export function wordAt(text: string, at: number): string {
  let end = at;
  while (end < text.length && isWordCode(text.charCodeAt(end))) end++;
  return text.slice(at, end);
}

export function skipBlank(text: string, at: number): number {
  let next = at;
  while (next < text.length) {
    const code = text.charCodeAt(next);
    if (code !== 32 && code !== 9 && code !== 10 && code !== 13) break;
    next++;
  }
  return next;
}

/** Offsets of every whole word that is in `words`. */
export function* wordsIn(
  text: string,
  words: ReadonlySet<string>,
): Generator<{ word: string; at: number; end: number }> {
  let at = 0;
  while (at < text.length) {
    if (!isWordCode(text.charCodeAt(at))) {
      at++;
      continue;
    }
    let end = at + 1;
    while (end < text.length && isWordCode(text.charCodeAt(end))) end++;
    if (end - at < 24) {
      const word = text.slice(at, end);
      if (words.has(word)) yield { word, at, end };
    }
    at = end;
  }
}

/** The quoted text that begins at `at` (a quote in masked code, its contents in `source`), or undefined. */
export function quotedAt(code: string, source: string, at: number): { text: string; end: number } | undefined {
  const quote = code[at];
  if (quote !== '"' && quote !== "'") return undefined;
  const end = code.indexOf(quote, at + 1);
  if (end < 0 || end - at > 1000) return undefined;
  const text = source.slice(at + 1, end);
  return text.includes('\n') ? undefined : { text, end: end + 1 };
}

/** Splits a line's code into words and single signs; at most `limit` of them, so that a huge line costs little. */
export function lineTokens(line: string, limit = 24): string[] {
  const tokens: string[] = [];
  let at = 0;
  while (at < line.length && tokens.length < limit) {
    const code = line.charCodeAt(at);
    if (code === 32 || code === 9) {
      at++;
      continue;
    }
    const word = isWordCode(code) ? wordAt(line.slice(0, at + 200), at) : '';
    tokens.push(word || (line[at] as string));
    at += word.length || 1;
  }
  return tokens;
}

/** A definition led by a keyword: modifiers, one of `kinds`, then the name. */
export function keywordDefinition(
  line: string,
  modifiers: ReadonlySet<string>,
  kinds: ReadonlyMap<string, string>,
): { name: string; kind: string } | undefined {
  const tokens = lineTokens(line, 16);
  let at = 0;
  while (at < tokens.length && modifiers.has(tokens[at] as string)) at++;
  const kind = kinds.get(tokens[at] ?? '');
  if (kind === undefined) return undefined;
  at++;
  if (tokens[at] === '*') at++;
  const name = tokens[at] ?? '';
  return isWordCode(name.charCodeAt(0)) ? { name, kind } : undefined;
}
