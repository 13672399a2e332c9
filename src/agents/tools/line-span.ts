import { z } from 'zod';

export const lineNumber = z.coerce.number().int().min(1).max(10_000_000);

// A span is to show the place; a whole long file shows nothing.
const MAX_SPAN = 250;

/** What is wrong with a span of lines, if anything. */
export function spanProblem(span: { startLine: number; endLine: number }): string | undefined {
  if (span.endLine < span.startLine) return 'endLine is before startLine';
  if (span.endLine - span.startLine >= MAX_SPAN)
    return `the span has more than ${MAX_SPAN} lines; name the lines that matter, in several entries if need be`;
  return undefined;
}

/** What is wrong with a path that should be one of the repository, from its root. */
export function pathProblem(path: string): string | undefined {
  if (path.trim() === '') return 'the path is empty';
  if (path.startsWith('/') || path.startsWith('~') || path.split('/').includes('..'))
    return 'the path has to be relative to the root of the repository';
  return undefined;
}
