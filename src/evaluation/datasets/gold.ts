import type { Location } from '../../domain/finding.ts';
import { roleOf } from '../../repository/file-kind.ts';
import { type DiffFile, type Hunk, parseDiff } from './parse-diff.ts';

/** What the merged fix touched, in terms of the base commit. */
export interface Gold {
  /** Paths at base of the files that the fix changed, tests left out; a file that the fix adds has its new path. */
  files: string[];
  /** Runs of changed lines, each a span of lines at base. A fix that only adds files has none. */
  chunks: Location[];
}

/**
 * The gold of a fix. A chunk is a run of changed lines without an unchanged line in it: the lines that it removes, or,
 * where it only adds, the line after which it adds (SHERLOC speaks of gold edit spans and leaves additions open).
 * Documentation is left out as long as something else was changed.
 * @throws DiffError when `patch` is no unified diff
 */
export function goldOf(patch: string): Gold {
  const changed = parseDiff(patch).filter((file) => roleOf(pathOf(file)) !== 'test');
  const code = changed.filter((file) => roleOf(pathOf(file)) !== 'documentation');
  const chosen = code.length > 0 ? code : changed;
  return { files: [...new Set(chosen.map(pathOf))], chunks: chosen.flatMap(chunksOf) };
}

/** Where a file is found at base. */
export const pathOf = (file: DiffFile): string => file.oldPath ?? file.newPath ?? '';

function chunksOf(file: DiffFile): Location[] {
  const { oldPath } = file;
  if (oldPath === undefined) return [];
  return file.hunks.flatMap(spansOf).map(([startLine, endLine]) => ({ path: oldPath, startLine, endLine }));
}

function spansOf(hunk: Hunk): [number, number][] {
  const spans: [number, number][] = [];
  // A hunk without old lines names the line before it.
  let next = hunk.oldCount === 0 ? hunk.oldStart + 1 : hunk.oldStart;
  let run: { first: number; removed: number } | undefined;
  for (const line of [...hunk.lines, ' ']) {
    if (line.startsWith(' ')) {
      if (run) spans.push(spanOf(run));
      run = undefined;
      next++;
      continue;
    }
    run ??= { first: next, removed: 0 };
    if (line.startsWith('-')) {
      run.removed++;
      next++;
    }
  }
  return spans;
}

function spanOf({ first, removed }: { first: number; removed: number }): [number, number] {
  if (removed > 0) return [first, first + removed - 1];
  const before = Math.max(1, first - 1);
  return [before, before];
}
