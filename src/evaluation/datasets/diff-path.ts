const ESCAPES: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/**
 * A path in a diff's header: without `prefix`, without what `diff -u` puts after a tab, and unquoted where git quoted
 * it. Undefined for `/dev/null`.
 */
export function diffPath(text: string, prefix: string): string | undefined {
  const trimmed = text.replace(/\r$/, '');
  const path = trimmed.startsWith('"') ? unquoted(trimmed) : (trimmed.split('\t', 1)[0] ?? '').trimEnd();
  if (path === '/dev/null') return undefined;
  return prefix !== '' && path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** The two paths after `diff --git`; both are the same there unless the file was renamed. */
export function headerPaths(text: string): { oldPath?: string; newPath?: string } {
  const line = text.replace(/\r$/, '');
  if (line.startsWith('"') || line.endsWith('"')) return quotedPaths(line);
  // "a/PATH b/PATH": the same path twice, so the middle is known even where it holds spaces.
  const half = (line.length - 1) / 2;
  const [oldPath, newPath] = [line.slice(0, half), line.slice(half + 1)];
  if (line[half] === ' ' && oldPath.slice(2) === newPath.slice(2)) {
    return { oldPath: oldPath.slice(2), newPath: newPath.slice(2) };
  }
  // Renamed: the lines "rename from" and "rename to" name both.
  return {};
}

function quotedPaths(line: string): { oldPath?: string; newPath?: string } {
  if (!line.startsWith('"')) return {};
  const end = closingQuote(line);
  const oldPath = diffPath(line.slice(0, end + 1), 'a/');
  const newPath = diffPath(line.slice(end + 2), 'b/');
  return { ...(oldPath === undefined ? {} : { oldPath }), ...(newPath === undefined ? {} : { newPath }) };
}

function closingQuote(text: string): number {
  let at = 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** Git quotes bytes as C does; the bytes are UTF-8. */
function unquoted(text: string): string {
  const bytes: number[] = [];
  const end = closingQuote(text);
  for (let at = 1; at < end; at++) {
    const character = text[at] as string;
    if (character !== '\\') {
      bytes.push(...Buffer.from(character));
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))?.[0];
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(ESCAPES[text[at + 1] ?? ''] ?? 63);
    at += octal ? 3 : 1;
  }
  return Buffer.from(bytes).toString('utf8');
}
