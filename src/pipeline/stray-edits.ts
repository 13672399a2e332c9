import type { ChangedFile, Patch, StrayEdit } from '../domain/patch.ts';
import { type ChangeBlock, type ChangeHunk, changeHunks } from './change-hunks.ts';
import { leftDebugging } from './left-debugging.ts';
import { type Leads, unplacedFiles } from './unplaced-files.ts';

export interface StraySources {
  patch: Patch;
  leads: Leads;
  /** A file's text as it is at base; undefined where there is none or it is not read. */
  readBase(path: string): Promise<string | undefined>;
}

/** A file with more places than this that changed in form alone was reformatted. */
const FEW = 3;
const MOST = 12;

/**
 * Edits that hardly belong to a change: white space alone, files put into another form, debugging output, code that was
 * commented out instead of removed, files that nothing leads to. In any language, by what the diff itself shows; it would
 * rather miss one than name what belongs there.
 */
export async function strayEdits({ patch, leads, readBase }: StraySources): Promise<StrayEdit[]> {
  const byPath = Map.groupBy(changeHunks(patch), (hunk) => hunk.path);
  const found: StrayEdit[] = [];
  for (const file of patch.files) {
    const hunks = byPath.get(file.path) ?? [];
    if (file.status !== 'added') found.push(...formAlone(file, hunks), ...commentedOut(file, hunks));
    if (file.kind === 'source') found.push(...leftDebugging(file, hunks, await readBase(file.path)));
  }
  return [...found, ...unplacedFiles(patch, leads)].slice(0, MOST);
}

function formAlone({ path }: ChangedFile, hunks: ChangeHunk[]): StrayEdit[] {
  const blocks = hunks.flatMap((hunk) => hunk.blocks);
  const formed = blocks.filter((block) => isSame(block, loose));
  if (formed.length > FEW && formed.length * 2 > blocks.length) return [{ kind: 'reformatted', path }];
  // Beside a real edit, lines may have to be indented anew.
  const alone = hunks.filter((hunk) => hunk.blocks.every((block) => isSame(block, squeezed)));
  if (alone.length > FEW) return [{ kind: 'reformatted', path }];
  return alone.map((hunk): StrayEdit => ({ kind: 'white-space', path, line: Math.max(hunk.blocks[0]?.at ?? 1, 1) }));
}

const isSame = ({ removed, added }: ChangeBlock, form: (lines: string[]) => string): boolean =>
  form(removed) === form(added);

const squeezed = (lines: string[]): string => lines.join('').replaceAll(/\s+/g, '');

/** What formatters choose: quotes, final commas and semicolons, brackets around what is broken over lines. */
const loose = (lines: string[]): string =>
  squeezed(lines)
    .replaceAll(/['"`]/g, '"')
    .replaceAll(/[,;()]/g, '');

const OPENING = /^(?:#|\/\/|\/\*|--|;|%|<!--)+/;
const CLOSING = /(?:\*\/|-->)$/;

/** What a comment that takes the whole line says. */
function commentOf(line: string): string | undefined {
  const text = line.trim();
  const inside = text.replace(OPENING, '');
  return inside === text ? undefined : inside.replace(CLOSING, '').trim();
}

/** A line that was removed and comes back as a comment. */
function commentedOut({ path }: ChangedFile, hunks: ChangeHunk[]): StrayEdit[] {
  const removed = new Set(hunks.flatMap((hunk) => hunk.blocks.flatMap((block) => block.removed.map(bare))));
  for (const { at, added } of hunks.flatMap((hunk) => hunk.blocks)) {
    const index = added.findIndex((line) => {
      const inside = commentOf(line);
      return inside !== undefined && isCode(inside) && removed.has(bare(inside)) && !removed.has(bare(line));
    });
    if (index >= 0) return [{ kind: 'commented-out', path, line: at + index }];
  }
  return [];
}

const bare = (line: string): string => line.replaceAll(/\s+/g, '');
const isCode = (text: string): boolean => text.length > 5 && /[=(){}[\];.]/.test(text);
