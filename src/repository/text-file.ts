/** What a file's bytes are as text. `lines` are without line ends; a final line end begins no further line. */
export type TextFile =
  | { kind: 'text'; size: number; text: string; lines: string[]; encoding: 'UTF-8' | 'UTF-16' | 'not UTF-8' }
  | { kind: 'binary' | 'empty' | 'huge' | 'missing'; size: number };

/** Bytes as text: UTF-8, UTF-16 with its mark, or bytes read as Latin-1 and said to be so. NUL bytes mean binary (as git). */
export function decodeText(bytes: Buffer | undefined, size: number): TextFile {
  if (bytes === undefined) return { kind: 'missing', size };
  if (bytes.length === 0) return { kind: 'empty', size };
  const marked = bytes.length >= 2 ? UTF16[bytes.readUInt16BE(0)] : undefined;
  if (marked) return asText(new TextDecoder(marked).decode(bytes), 'UTF-16', size);
  if (bytes.subarray(0, 8000).includes(0)) return { kind: 'binary', size };
  try {
    return asText(new TextDecoder('utf-8', { fatal: true }).decode(bytes), 'UTF-8', size);
  } catch {
    return asText(bytes.toString('latin1'), 'not UTF-8', size);
  }
}

const UTF16: Record<number, string> = { 65534: 'utf-16le', 65279: 'utf-16be' };

function asText(text: string, encoding: 'UTF-8' | 'UTF-16' | 'not UTF-8', size: number): TextFile {
  let lines: string[] | undefined;
  return {
    kind: 'text',
    size,
    text,
    encoding,
    // Scanners read the text alone; to split every file of a large checkout would cost as much again.
    get lines() {
      lines ??= linesOf(text);
      return lines;
    },
  };
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    if (line.endsWith('\r')) lines[index] = line.slice(0, -1);
  }
  return lines;
}

/** Says in words why a file is not shown; undefined for text. */
export function unreadableBecause(file: TextFile): string | undefined {
  if (file.kind === 'text') return undefined;
  const megabytes = (file.size / 1024 / 1024).toFixed(1);
  return {
    binary: `a binary file of ${file.size} bytes`,
    empty: 'an empty file',
    huge: `too large to be read (${megabytes} MB)`,
    missing: 'not readable',
  }[file.kind];
}

/** One line for showing: control characters made visible, and no longer than `limit` around the column `at`. */
export function shownLine(line: string, limit: number, at = 0): string {
  if (line.length <= limit) return visible(line);
  const start = Math.max(0, Math.min(at - Math.floor(limit / 4), line.length - limit));
  const before = start > 0 ? `…(${start} characters) ` : '';
  const rest = line.length - start - limit;
  return visible(`${before}${line.slice(start, start + limit)}${rest > 0 ? ` …(+${rest} characters)` : ''}`);
}

/** A path for showing: quoted, with every sign spelled out that could be taken for something else. */
export function shownPath(path: string): string {
  if (!ODD.test(path)) return path;
  const quoted = JSON.stringify(path);
  return quoted.replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: names may hold them.
const ODD = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069"]/;

function visible(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
  return line.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd').toWellFormed();
}
