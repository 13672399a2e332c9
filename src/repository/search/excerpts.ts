import type { LineRange } from '../repository.ts';
import { shownLine, shownPath } from '../text-file.ts';
import type { ExcerptSpans } from './excerpt-span.ts';
import type { FileMatches } from './matches.ts';

const LINE_CHARACTERS = 300;
const LISTED_LINES = 12;

export interface Excerpts {
  text: string;
  characters: number;
  /** Matching lines that the text shows, marked with ">". */
  marked: number;
  spans: LineRange[];
}

/**
 * The best excerpts of a file in the order of its lines, overlapping ones joined; matching lines between them are named
 * by their numbers. At most `limits.excerpts` of them and, after the first, `limits.characters`.
 */
export function excerptsOf(
  file: FileMatches,
  lines: readonly string[],
  spans: ExcerptSpans,
  limits: { excerpts: number; characters: number },
): Excerpts {
  const chosen = choose(file, lines, spans, limits);
  const columns = new Map(file.matches.map((match) => [match.line, match.column]));
  const hidden = new Hidden(file);
  const body: string[] = [];
  let marked = 0;
  let next = 1;
  const shown = joined(chosen);
  for (const { startLine, endLine } of shown) {
    body.push(...hidden.between(next, startLine - 1, body.length > 0));
    for (let number = startLine; number <= endLine; number++) {
      const at = columns.get(number);
      if (at !== undefined) marked++;
      const line = shownLine(lines[number - 1] as string, LINE_CHARACTERS, at ?? 0);
      body.push(`${at === undefined ? ' ' : '>'}${number}\t${line}`);
    }
    next = endLine + 1;
  }
  body.push(...hidden.between(next, lines.length, false));
  const all = file.matches.length;
  const head = `${shownPath(file.path)} (${counted(all, 'matching line')}${marked < all ? `, ${marked} shown` : ''})`;
  const text = [head, ...body].join('\n');
  return { text, characters: text.length, marked, spans: shown };
}

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function choose(
  { matches }: FileMatches,
  lines: readonly string[],
  spans: ExcerptSpans,
  limits: { excerpts: number; characters: number },
): LineRange[] {
  const chosen: LineRange[] = [];
  let characters = 0;
  for (const { line } of matches) {
    if (chosen.some((span) => line >= span.startLine && line <= span.endLine)) continue;
    if (chosen.length === limits.excerpts) break;
    const span = spans.around(line);
    for (let at = span.startLine; at <= span.endLine; at++)
      characters += Math.min((lines[at - 1] as string).length, LINE_CHARACTERS) + 8;
    if (chosen.length > 0 && characters > limits.characters) break;
    chosen.push(span);
  }
  return chosen;
}

function joined(spans: LineRange[]): LineRange[] {
  const result: LineRange[] = [];
  for (const span of [...spans].sort((a, b) => a.startLine - b.startLine)) {
    const last = result.at(-1);
    if (last && span.startLine <= last.endLine + 1) last.endLine = Math.max(last.endLine, span.endLine);
    else result.push({ ...span });
  }
  return result;
}

/** What stands between excerpts. */
class Hidden {
  private readonly numbers: number[];

  constructor(file: FileMatches) {
    this.numbers = file.matches.map(({ line }) => line).sort((a, b) => a - b);
  }

  /** Names the matching lines from `first` to `last`; `gap` asks for a mark even where there are none. */
  between(first: number, last: number, gap: boolean): string[] {
    const inside = this.numbers.filter((line) => line >= first && line <= last);
    if (inside.length === 0) return gap && last >= first ? ['  …'] : [];
    const named = inside.slice(0, LISTED_LINES).join(', ');
    const more = inside.length > LISTED_LINES ? ', …' : '';
    return [`  … ${counted(inside.length, 'matching line')} not shown: ${named}${more}`];
  }
}
