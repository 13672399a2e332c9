import { diffBytes, type Patch } from './patch.ts';

export interface AddedLine {
  path: string;
  /** In the file after the change; 1 is the first. */
  line: number;
  text: string;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The lines that a patch adds, read from its diff in one pass. Binary files have none. */
export function addedLines(patch: Patch): AddedLine[] {
  return addedIn(diffBytes(patch).toString('utf8'));
}

/** The same for a diff as git prints it; what is no diff has no added lines. */
export function addedIn(diff: string): AddedLine[] {
  const added: AddedLine[] = [];
  let path = '';
  let hunk: Hunk | undefined;
  for (const line of diff.split('\n')) {
    if (hunk !== undefined && (hunk.old > 0 || hunk.fresh > 0)) {
      if (line.startsWith('+')) added.push({ path, line: hunk.at, text: line.slice(1) });
      advance(hunk, line[0]);
      continue;
    }
    if (line.startsWith('+++ ')) path = pathIn(line.slice(4));
    const [found, old = '1', at, fresh = '1'] = HUNK.exec(line) ?? [];
    if (found !== undefined) hunk = { old: Number(old), fresh: Number(fresh), at: Number(at) };
  }
  return added;
}

/** A hunk says how long it is, so that a line of it that looks like a header is not taken for one. */
interface Hunk {
  old: number;
  fresh: number;
  /** The next line in the file after the change. */
  at: number;
}

function advance(hunk: Hunk, mark: string | undefined): void {
  if (mark === '\\') return;
  if (mark !== '+') hunk.old -= 1;
  if (mark === '-') return;
  hunk.fresh -= 1;
  hunk.at += 1;
}

/** `b/name`, or `"b/n\303\244me"` where git quotes it; a tab ends a name with spaces. */
function pathIn(name: string): string {
  const bare = name.replace(/\t$/, '');
  const unquoted = bare.startsWith('"') ? unquote(bare.slice(1, -1)) : bare;
  return unquoted.startsWith('b/') ? unquoted.slice(2) : unquoted;
}

function unquote(text: string): string {
  const bytes = text.replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) => {
    if (code.length === 3) return String.fromCharCode(Number.parseInt(code, 8) & 0xff);
    return ESCAPES[code] ?? code;
  });
  return /[^\0-\xff]/.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
