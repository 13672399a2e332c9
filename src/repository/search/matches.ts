import { roleOf } from '../file-kind.ts';
import type { Language } from '../languages/language.ts';
import { languageOf } from '../languages/languages.ts';
import { mask } from '../languages/mask.ts';
import type { TextFile } from '../text-file.ts';

const RANKS = { definition: 0, code: 1, comment: 2 };
/** Written as it was asked for comes first among its kind. */
const OTHER_CASE = 0.5;
export const MAX_MASKED = 2 * 1024 * 1024;

/** What a line with the text is, best first. */
type MatchKind = 'definition' | 'code' | 'comment'; // A comment, or inside a string.

export interface Match {
  /** 1-based. */
  line: number;
  column: number;
  rank: number;
}

export interface FileMatches {
  path: string;
  /** One for each line with the text, best first. */
  matches: Match[];
}

/**
 * The lines of a file that hold the text, ranked: definition over code over comment, and all of them over tests. Without
 * `byKind` every line counts as code: telling them apart is most of a search's work.
 */
export function matchesIn(path: string, file: TextFile & { kind: 'text' }, text: string, byKind: boolean): FileMatches {
  const wanted = text.toLowerCase();
  const language = byKind && file.size <= MAX_MASKED ? languageOf(path) : undefined;
  const masked = language ? mask(file.text, language.syntax) : undefined;
  const codeLines = masked?.code.split('\n');
  const penalty = { source: 0, configuration: 1, example: 3, test: 4 }[roleOf(path) as string] ?? 5;
  const matches: Match[] = [];
  file.lines.forEach((line, index) => {
    const column = line.toLowerCase().indexOf(wanted);
    if (column < 0) return;
    const kind = kindOf(codeLines?.[index], wanted, language);
    const otherCase = line.includes(text) ? 0 : OTHER_CASE;
    matches.push({ line: index + 1, column, rank: RANKS[kind] + penalty + otherCase });
  });
  matches.sort((a, b) => a.rank - b.rank || a.line - b.line);
  return { path, matches };
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
