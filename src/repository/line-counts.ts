import { roleOf } from './file-kind.ts';
import { HUGE_BYTES, type SourceFiles } from './source-files.ts';

/** Lines of every source file; a huge file counts what its first 8 MB hold. */
export function countLines(source: SourceFiles): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of source.sizes.keys()) {
    if (roleOf(file) !== 'source') continue;
    counts.set(file, lineEnds(source.bytes(file, HUGE_BYTES)));
  }
  return counts;
}

function lineEnds(bytes: Buffer | undefined): number {
  if (!bytes || bytes.length === 0) return 0;
  let lines = bytes.at(-1) === 10 ? 0 : 1;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}
