import type { ChangedFile, StrayEdit } from '../domain/patch.ts';
import type { ChangeHunk } from './change-hunks.ts';

/** Nobody leaves these in on purpose: breakpoints, and dumps of variables. */
const ALWAYS =
  /^\s*(?:debugger\s*;?$|breakpoint\(\)|import (?:i?pdb|pudb)\b|(?:i?pdb|pudb)\.set_trace\(|binding\.(?:pry|irb|break)\b|byebug$|require ['"](?:pry|byebug)['"]|var_dump\(|dd\(|dump\(|dbg!\(|runtime\.Breakpoint\(\)|__debugbreak\()/;
/** An output that says itself what it is for. */
const MARKED =
  /^\s*(?:[\w.]*(?:print\w*|console\.\w+|log\w*|puts|echo|Print\w*|Fprint\w*|Write(?:Line)?|printf|cout|NSLog)!?)\b.{0,40}["'`](?:\W{0,6})(?:debug|dbg|xxx+|here\b|got here|todo remove|>>>|###|\*\*\*|---|===)/i;
/** Plain output, a statement of its own. What it is called decides whether the file did this before. */
const OUTPUT =
  /^\s*(print|console\.(?:log|debug|dir|table|trace)|puts|echo|print_r|fmt\.Print(?:ln|f)?|System\.(?:out|err)\.print(?:ln|f)?|e?println!|println|printf|NSLog|Console\.Write(?:Line)?|Debug\.Log|std::c(?:out|err)|fputs|fprintf)\b[ (!]/;

const LOOKED_AT = 400;

/**
 * Debugging leftovers in the lines that a source file gained. Output counts only where the file at base has none of its
 * kind, since printing is what some programs are for; a new file has nothing to compare with.
 */
export function leftDebugging(file: ChangedFile, hunks: ChangeHunk[], base: string | undefined): StrayEdit[] {
  if (isProse(file.path)) return [];
  for (const { at, added } of hunks.flatMap((hunk) => hunk.blocks)) {
    const index = added.findIndex((line) => isLeft(line.slice(0, LOOKED_AT), base));
    if (index >= 0) return [{ kind: 'debugging', path: file.path, line: at + index }];
  }
  return [];
}

function isLeft(line: string, base: string | undefined): boolean {
  if (ALWAYS.test(line) || MARKED.test(line)) return !base?.includes(line.trim());
  const name = OUTPUT.exec(line)?.[1];
  return name !== undefined && base !== undefined && !speaks(base, name);
}

/** A call has a bracket or a blank behind its name. */
const speaks = (base: string, name: string): boolean =>
  base.split('\n').some((line) => {
    const start = line.slice(0, LOOKED_AT).trimStart();
    return start.includes(`${name}(`) || start.startsWith(`${name} `);
  });

/** Texts, documentation and data speak of output without making any. Shell scripts do little else. */
export const isProse = (path: string): boolean =>
  /\.(?:md|markdown|rst|adoc|txt|html?|css|json|ya?ml|toml|xml|csv|svg|po|lock|ini|cfg|sh|bash|zsh|bat|ps1|mk)$|(?:^|\/)(?:Makefile|Dockerfile|CHANGE|NEWS|README|LICENSE)[^/]*$/i.test(
    path,
  );
