import type { TreeView } from './repository.ts';
import type { SourceFiles } from './source-files.ts';
import { shownPath } from './text-file.ts';
import { estimateTokens } from './token-estimate.ts';
import { buildTree, type Folder } from './tree-folders.ts';
import { unlisted } from './unlisted-files.ts';

/**
 * The source files with their numbers of lines, one line of files per folder, never above `maxTokens`. What does not
 * fit stays folded with its counts: folders with much code for little text are opened first, and of a huge folder the
 * longest files are named. Those that lead to the files `near` come before all others.
 */
export function treeView(
  source: SourceFiles,
  lineCounts: Map<string, number>,
  maxTokens: number,
  near: string[] = [],
): TreeView {
  const root = buildTree(source, lineCounts);
  const title = `${counted(root.files, 'source file')}, ${counted(root.lines, 'line')}; the number after a name is its lines.`;
  const head = [title, ...unlisted(source)];
  const budget = maxTokens - estimateTokens(head.join('\n')) - 16;
  const opened = openWithin(root, budget, near);
  const lines: string[] = [];
  write(root, 0, opened, lines);
  const shown = [...opened.values()].reduce((sum, open) => sum + open.files, 0);
  return { text: [...head, ...lines].join('\n'), files: root.files, shown };
}

/** How much of an opened folder is named: its longest files and its largest folders. */
interface Opened {
  files: number;
  folders: number;
}

/** A folder that may be opened next, with its path from the root. */
interface Waiting {
  folder: Folder;
  path: string;
  near: boolean;
}

function openWithin(root: Folder, budget: number, near: string[]): Map<Folder, Opened> {
  const opened = new Map<Folder, Opened>();
  const waiting = new Set<Waiting>([{ folder: root, path: '', near: near.length > 0 }]);
  let left = budget;
  while (waiting.size > 0) {
    const next = best(waiting, left);
    if (!next) break;
    const { folder, path } = next.waiting;
    waiting.delete(next.waiting);
    left -= next.cost;
    opened.set(folder, next.open);
    for (const child of folder.folders.slice(0, next.open.folders)) {
      const below = path + child.name;
      waiting.add({ folder: child, path: below, near: near.some((file) => file.startsWith(below)) });
    }
  }
  return opened;
}

interface Choice {
  waiting: Waiting;
  open: Opened;
  cost: number;
}

function best(waiting: Set<Waiting>, left: number): Choice | undefined {
  const choices = [...waiting].map((one): Choice & { worth: number } => {
    const { folder } = one;
    const open = { files: folder.own.length, folders: folder.folders.length };
    const cost = costOf(folder, open);
    const worth = (folder.lines + 1) / (cost + 20) / Math.sqrt(folder.depth + 1);
    return { waiting: one, open, cost, worth };
  });
  const fitting = choices.filter(({ cost }) => cost <= left);
  const first = fitting.some((choice) => choice.waiting.near)
    ? fitting.filter(({ waiting: { near } }) => near)
    : fitting;
  if (first.length > 0) return first.reduce((a, b) => (b.worth > a.worth ? b : a));
  return partly(waiting, left);
}

/** Nothing fits whole: as much as fits of the folder with the most lines. */
function partly(waiting: Set<Waiting>, left: number): Choice | undefined {
  const chosen = [...waiting].reduce((a, b) => (b.folder.lines > a.folder.lines ? b : a));
  const { folder } = chosen;
  // Names of folders alone say little: some of them are to be opened too.
  const budget = folder.folders.length > 0 ? left * 0.75 : left;
  let low = 0;
  let high = folder.own.length + folder.folders.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (costOf(folder, share(folder, middle)) <= budget) low = middle;
    else high = middle - 1;
  }
  if (low === 0) return undefined;
  const open = share(folder, low);
  return { waiting: chosen, open, cost: costOf(folder, open) };
}

function share(folder: Folder, count: number): Opened {
  const all = folder.own.length + folder.folders.length;
  const folders = Math.min(folder.folders.length, Math.ceil((count * folder.folders.length) / all));
  return { folders, files: Math.min(folder.own.length, count - folders) };
}

function costOf(folder: Folder, open: Opened): number {
  if (folder.cost !== undefined && open.files === folder.own.length && open.folders === folder.folders.length) {
    return folder.cost;
  }
  const lines: string[] = [];
  writeInside(folder, open, folder.depth + 1, lines, (child, depth) => lines.push(indent(depth) + folded(child)));
  // A line end and the folder's own line, which changes little when it is opened.
  const cost = estimateTokens(lines.join('\n')) + 4;
  if (open.files === folder.own.length && open.folders === folder.folders.length) folder.cost = cost;
  return cost;
}

function write(folder: Folder, depth: number, opened: Map<Folder, Opened>, lines: string[]): void {
  const open = opened.get(folder);
  if (!open) {
    lines.push(indent(depth) + folded(folder));
    return;
  }
  const atRoot = folder.name === '';
  // A folder of nothing but files is one line with them.
  if (!atRoot && folder.folders.length === 0) {
    lines.push(`${indent(depth)}${shownPath(folder.name)} ${filesOf(folder, open)}`);
    return;
  }
  if (!atRoot) lines.push(`${indent(depth)}${shownPath(folder.name)}`);
  writeInside(folder, open, atRoot ? 0 : depth + 1, lines, (child, inner) => write(child, inner, opened, lines));
}

function writeInside(
  folder: Folder,
  open: Opened,
  depth: number,
  lines: string[],
  child: (folder: Folder, depth: number) => void,
): void {
  const files = filesOf(folder, open);
  if (files !== '') lines.push(indent(depth) + files);
  const folders = folder.folders.slice(0, open.folders).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const inner of folders) child(inner, depth);
  const hidden = folder.folders.length - open.folders;
  if (hidden > 0) lines.push(`${indent(depth)}… +${hidden} more folders`);
}

function filesOf(folder: Folder, open: Opened): string {
  const byName = folder.own.slice(0, open.files).sort((a, b) => (a.name < b.name ? -1 : 1));
  const more = folder.own.length - open.files;
  const names = byName.map(({ name, lines: count }) => `${shownPath(name)} ${count}`);
  return [...names, ...(more > 0 ? [`… +${more} more`] : [])].join(', ');
}

// Deep trees would otherwise be all indentation.
const indent = (depth: number): string => ' '.repeat(Math.min(depth, 24));

function folded(folder: Folder): string {
  return `${shownPath(folder.name || './')} (${counted(folder.files, 'file')}, ${counted(folder.lines, 'line')})`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
