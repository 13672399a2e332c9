import { roleOf } from './file-kind.ts';
import type { SourceFiles } from './source-files.ts';

export interface Folder {
  /** Ends in "/"; several levels where each holds nothing but the next ("src/main/java/"); "" at the root. */
  name: string;
  depth: number;
  /** Source files of this folder itself, longest first. */
  own: { name: string; lines: number }[];
  /** Folders with source files, most lines first. */
  folders: Folder[];
  /** Source files and their lines, of this folder and all below. */
  files: number;
  lines: number;
  /** Tokens of the whole folder opened once, when they were counted. */
  cost?: number;
}

/** The folders of the source files, with counts; all other files are left out. */
export function buildTree(source: SourceFiles, lineCounts: Map<string, number>): Folder {
  const root = emptyFolder('', 0);
  const byPath = new Map<string, Folder>([['', root]]);
  for (const file of source.sizes.keys()) {
    if (roleOf(file) !== 'source') continue;
    const slash = file.lastIndexOf('/') + 1;
    const folder = folderAt(file.slice(0, slash), byPath);
    folder.own.push({ name: file.slice(slash), lines: lineCounts.get(file) ?? 0 });
  }
  return settle(root, byPath);
}

function emptyFolder(name: string, depth: number): Folder {
  return { name, depth, own: [], folders: [], files: 0, lines: 0 };
}

function folderAt(path: string, byPath: Map<string, Folder>): Folder {
  const known = byPath.get(path);
  if (known) return known;
  const slash = path.lastIndexOf('/', path.length - 2) + 1;
  const parent = folderAt(path.slice(0, slash), byPath);
  const folder = emptyFolder(path.slice(slash), parent.depth + 1);
  parent.folders.push(folder);
  byPath.set(path, folder);
  return folder;
}

/** Adds the counts up from the deepest folders, sorts, and joins folders that hold nothing but one folder. */
function settle(root: Folder, byPath: Map<string, Folder>): Folder {
  for (const folder of [...byPath.values()].reverse()) {
    folder.own.sort((a, b) => b.lines - a.lines || (a.name < b.name ? -1 : 1));
    folder.files = folder.own.length;
    folder.lines = folder.own.reduce((sum, file) => sum + file.lines, 0);
    for (const child of folder.folders) {
      folder.files += child.files;
      folder.lines += child.lines;
    }
    folder.folders = folder.folders.map(joined).sort((a, b) => b.lines - a.lines || (a.name < b.name ? -1 : 1));
  }
  return root;
}

function joined(folder: Folder): Folder {
  const [only] = folder.folders;
  if (folder.own.length > 0 || folder.folders.length !== 1 || !only) return folder;
  return { ...only, name: folder.name + only.name, depth: folder.depth };
}
