import { roleOf } from '../file-kind.ts';
import type { Language } from '../languages/language.ts';
import { languageOf } from '../languages/languages.ts';
import { mask } from '../languages/mask.ts';
import { shownLine, shownPath, type TextFile } from '../text-file.ts';

/** Lines before and after a match: with it, SHERLOC's windows of 20 lines. */
const BEFORE = 10;
const AFTER = 9;
const WINDOWS = 3;
const RANKS = { definition: 0, code: 1, comment: 2 };
const LINE_CHARACTERS = 300;
const MAX_MASKED = 2 * 1024 * 1024;

/** What a line with the text is, best first. */
type MatchKind = 'definition' | 'code' | 'comment'; // A comment, or inside a string.

interface Match {
  /** 1-based. */
  line: number;
  column: number;
  kind: MatchKind;
  rank: number;
}

export interface FileMatches {
  path: string;
  lines: string[];
  /** Best first. */
  matches: Match[];
}

/** The lines of a file that hold the text, ranked: definition over code over comment, and all of them over tests. */
export function matchesIn(path: string, file: TextFile & { kind: 'text' }, text: string): FileMatches {
  const wanted = text.toLowerCase();
  const language = file.size <= MAX_MASKED ? languageOf(path) : undefined;
  const masked = language ? mask(file.text, language.syntax) : undefined;
  const codeLines = masked?.code.split('\n');
  const penalty = { source: 0, configuration: 1, example: 3, test: 4 }[roleOf(path) as string] ?? 5;
  const matches: Match[] = [];
  file.lines.forEach((line, index) => {
    const column = line.toLowerCase().indexOf(wanted);
    if (column < 0) return;
    const kind = kindOf(codeLines?.[index], wanted, language);
    matches.push({ line: index + 1, column, kind, rank: RANKS[kind] + penalty });
  });
  matches.sort((a, b) => a.rank - b.rank || a.line - b.line);
  return { path, lines: file.lines, matches };
}

/** `code` is the line without comments and the contents of strings; undefined where the language is not known. */
function kindOf(code: string | undefined, wanted: string, language: Language | undefined): MatchKind {
  if (code === undefined || language === undefined) return 'code';
  const defined = language.definition(code.length > 2000 ? code.slice(0, 2000) : code);
  if (defined && isDefined(defined.name.toLowerCase(), wanted)) return 'definition';
  return code.toLowerCase().includes(wanted) ? 'code' : 'comment';
}

/** The text is the name, or the beginning of a definition with it (`def name(`). */
function isDefined(name: string, wanted: string): boolean {
  return wanted === name || wanted.split(/[^\p{L}\p{N}_$]+/u).includes(name);
}

/** The best windows of a file in the order of its lines, overlapping ones joined. */
export function windowsOf(file: FileMatches): string {
  if (file.matches.length === 0) return '';
  const spans: { start: number; end: number }[] = [];
  for (const { line } of file.matches) {
    const inside = spans.some((span) => line >= span.start && line <= span.end);
    if (inside) continue;
    if (spans.length === WINDOWS) break;
    spans.push({ start: Math.max(1, line - BEFORE), end: Math.min(file.lines.length, line + AFTER) });
  }
  const columns = new Map(file.matches.map((match) => [match.line, match.column]));
  const lines = [`${shownPath(file.path)} (${file.matches.length} matching lines)`];
  for (const { start, end } of joined(spans)) {
    if (lines.length > 1) lines.push('  …');
    for (let number = start; number <= end; number++) {
      const at = columns.get(number);
      const line = shownLine(file.lines[number - 1] as string, LINE_CHARACTERS, at ?? 0);
      lines.push(`${at === undefined ? ' ' : '>'}${number}\t${line}`);
    }
  }
  return lines.join('\n');
}

function joined(spans: { start: number; end: number }[]): { start: number; end: number }[] {
  const result: { start: number; end: number }[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && span.start <= last.end + 1) last.end = Math.max(last.end, span.end);
    else result.push({ ...span });
  }
  return result;
}
