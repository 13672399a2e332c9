import { languageOf } from '../languages/languages.ts';
import { mask } from '../languages/mask.ts';
import type { Definition, LineRange } from '../repository.ts';
import type { TextFile } from '../text-file.ts';
import { MAX_MASKED } from './matches.ts';

/** Lines before and after a match: with it, SHERLOC's windows of 20 lines. */
const BEFORE = 10;
const AFTER = 9;
/** A definition of at most so many lines is shown whole. */
const SHORT_DEFINITION = 40;
/** Lines by which a window may grow to begin and end outside of brackets. */
const MAX_GROWTH = 12;

/** Finds the lines to show around a match: 20 lines, the whole of a short definition, and no call cut in two. */
export class ExcerptSpans {
  private readonly total: number;
  private readonly definitions: Definition[];
  /** Brackets open before each line, by its index; one more for the end. */
  private readonly depths: number[];

  constructor(path: string, file: TextFile & { kind: 'text' }, definitions: Definition[]) {
    this.total = file.lines.length;
    this.definitions = definitions.filter((one) => one.endLine - one.startLine < SHORT_DEFINITION);
    const language = file.size <= MAX_MASKED ? languageOf(path) : undefined;
    this.depths = language ? bracketDepths(mask(file.text, language.syntax).code) : [];
  }

  around(line: number): LineRange {
    const window = { startLine: Math.max(1, line - BEFORE), endLine: Math.min(this.total, line + AFTER) };
    for (const one of this.definitions) {
      if (one.startLine > line || one.endLine < line) continue;
      window.startLine = Math.min(window.startLine, one.startLine);
      window.endLine = Math.max(window.endLine, one.endLine);
    }
    return this.withWholeCalls(window);
  }

  /** Grows to the nearest lines on both sides where no more brackets are open than within reach of either. */
  private withWholeCalls({ startLine, endLine }: LineRange): LineRange {
    const before = (line: number): number => this.depths[line - 1] ?? 0;
    let first = startLine;
    let last = endLine;
    let least = before(startLine);
    for (; first > 1 && startLine - first < MAX_GROWTH; first--) least = Math.min(least, before(first - 1));
    let leastAfter = before(endLine + 1);
    for (; last < this.total && last - endLine < MAX_GROWTH; last++)
      leastAfter = Math.min(leastAfter, before(last + 2));
    const open = Math.max(least, leastAfter);
    first = startLine;
    while (before(first) > open) first--;
    last = endLine;
    while (before(last + 1) > open) last++;
    return { startLine: first, endLine: last };
  }
}

function bracketDepths(code: string): number[] {
  const depths = [0];
  let depth = 0;
  for (let at = 0; at < code.length; at++) {
    const sign = code.charCodeAt(at);
    if (sign === 40 || sign === 91) depth++;
    else if (sign === 41 || sign === 93) depth = Math.max(0, depth - 1);
    else if (sign === 10) depths.push(depth);
  }
  depths.push(depth);
  return depths;
}
