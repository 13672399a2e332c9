import { diffBytes, type Patch } from '../domain/patch.ts';

/** Neighbouring lines that were removed and added in one place. `at` is the line of the first added one in the new file. */
export interface ChangeBlock {
  at: number;
  removed: string[];
  added: string[];
}

/** A hunk of a text file's diff; `context` are its lines that stay. */
export interface ChangeHunk {
  path: string;
  blocks: ChangeBlock[];
  context: string[];
}

const HEADER = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The hunks of a patch in one pass, by the files that it lists; of binary files there are none. */
export function changeHunks(patch: Patch): ChangeHunk[] {
  const paths = new Map(patch.files.map((file) => [`+++ b/${file.path}`, file.path]));
  const hunks: ChangeHunk[] = [];
  let path: string | undefined;
  let left = { old: 0, fresh: 0, at: 0 };
  for (const line of diffBytes(patch).toString('utf8').split('\n')) {
    if (left.old > 0 || left.fresh > 0) {
      left = take(hunks.at(-1), line, left);
      continue;
    }
    if (line.startsWith('+++ ')) path = paths.get(line.replace(/\t$/, ''));
    const [found, old = '1', at, fresh = '1'] = HEADER.exec(line) ?? [];
    if (found === undefined || path === undefined) continue;
    left = { old: Number(old), fresh: Number(fresh), at: Number(at) };
    hunks.push({ path, blocks: [], context: [] });
  }
  return hunks;
}

function take(hunk: ChangeHunk | undefined, line: string, left: { old: number; fresh: number; at: number }) {
  const mark = line[0];
  const text = line.slice(1);
  if (mark === '\\' || hunk === undefined) return left;
  if (mark === '+') {
    blockAt(hunk, left.at).added.push(text);
    return { ...left, fresh: left.fresh - 1, at: left.at + 1 };
  }
  if (mark === '-') {
    blockAt(hunk, left.at).removed.push(text);
    return { ...left, old: left.old - 1 };
  }
  hunk.context.push(text);
  return { old: left.old - 1, fresh: left.fresh - 1, at: left.at + 1 };
}

/** The block that goes on here, or a new one. */
function blockAt(hunk: ChangeHunk, at: number): ChangeBlock {
  const last = hunk.blocks.at(-1);
  if (last !== undefined && last.at + last.added.length === at) return last;
  const block = { at, removed: [], added: [] };
  hunk.blocks.push(block);
  return block;
}
