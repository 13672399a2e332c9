/**
 * Tokens that a text costs a model, estimated high: three letters or digits of one kind a token (a full stop or
 * underscore before them goes with them), more for words that mix kinds, one for any other sign or line end, one per
 * byte outside ASCII. OpenAI's o200k counted 0.6 to 0.9 of it on the trees of real repositories, and not more than it
 * on names drawn at random.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let at = 0;
  while (at < text.length) {
    const end = wordEnd(text, at);
    tokens += end > at ? wordTokens(text, at, end) : signTokens(text, at);
    at = Math.max(end, at + 1);
  }
  return tokens;
}

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
}

function wordEnd(text: string, from: number): number {
  let end = from;
  while (kindAt(text, end) !== OTHER) end++;
  return end;
}

function wordTokens(text: string, from: number, end: number): number {
  let tokens = 0;
  let run = 0;
  let changes = 0;
  for (let at = from; at < end; at++) {
    const kind = kindAt(text, at);
    const before = at === from ? kind : kindAt(text, at - 1);
    if (kind !== before && !(before === UPPER && kind === LOWER)) {
      run = 0;
      changes++;
    }
    if (run++ % 3 === 0) tokens++;
  }
  return changes > 3 ? Math.max(tokens, Math.ceil((end - from) * 0.8)) : tokens;
}

function signTokens(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code > 127) return code > 2047 ? 3 : 2;
  if (code === 32) return text.charCodeAt(at - 1) === 32 ? 1 : 0;
  return (code === 46 || code === 95) && kindAt(text, at + 1) !== OTHER ? 0 : 1;
}
