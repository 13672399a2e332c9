/** A slash begins a regular expression where a value may stand: after an operator, an opening bracket or such a word. */
export function regexMayStart(source: string, slash: number): boolean {
  let at = slash - 1;
  while (at >= 0 && slash - at < 200 && ' \t\r\n'.includes(source[at] as string)) at--;
  if (at < 0) return true;
  const last = source[at] as string;
  if ('(,=:[!&|?{};+-*%~^<>'.includes(last)) return true;
  let start = at;
  while (start >= 0 && at - start < 12 && /[a-z]/.test(source[start] as string)) start--;
  return ['return', 'typeof', 'case', 'in', 'of', 'void', 'delete', 'await', 'yield'].includes(
    source.slice(start + 1, at + 1),
  );
}

/** The offset after a regular expression that begins at `slash`; undefined where the line ends before it does. */
export function regexEnd(source: string, slash: number): number | undefined {
  let inClass = false;
  for (let at = slash + 1; at < source.length && at - slash < 2000; at++) {
    const char = source[at];
    if (char === '\n') return undefined;
    if (char === '\\') at++;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return at + 1;
  }
  return undefined;
}
