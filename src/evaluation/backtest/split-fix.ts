import { roleOf } from '../../repository/file-kind.ts';
import { pathOf } from '../datasets/gold.ts';
import { parseDiff } from '../datasets/parse-diff.ts';

export interface SplitFix {
  /** What is not a test; empty where the fix is tests only. */
  patch: string;
  testPatch: string;
  /** Files of source code in `patch`. */
  sources: number;
}

/** Takes a pull request's diff apart into the fix and its tests, as SWE-bench does. @throws DiffError */
export function splitFix(diff: string): SplitFix {
  const split = { patch: '', testPatch: '', sources: 0 };
  for (const section of sections(diff)) {
    const [file] = parseDiff(section);
    if (!file) continue;
    const role = roleOf(pathOf(file));
    if (role === 'test') split.testPatch += section;
    else split.patch += section;
    if (role === 'source' && !file.binary) split.sources++;
  }
  return split;
}

/** One file each. A line of a hunk never begins with a letter, so a header is one wherever it stands. */
function sections(diff: string): string[] {
  const all: string[][] = [];
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) all.push([]);
    all.at(-1)?.push(line);
  }
  return all.map((lines) => `${lines.join('\n').replace(/\n+$/, '')}\n`);
}
