/**
 * Tokens that a text costs a model, estimated high: three letters or digits a token (a full stop or underscore before
 * them goes with them), one for any other sign or line end, one per byte outside ASCII. Tokenizers stay below it on
 * paths and code.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isLetter(code)) {
      if (run++ % 3 === 0) tokens++;
      continue;
    }
    run = 0;
    if (code > 127) tokens += code > 2047 ? 3 : 2;
    else if (!goesWithNext(code, text.charCodeAt(at - 1), text.charCodeAt(at + 1))) tokens++;
  }
  return tokens;
}

function goesWithNext(code: number, before: number, next: number): boolean {
  if (code === 32) return before !== 32;
  return (code === 46 || code === 95) && isLetter(next);
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}
