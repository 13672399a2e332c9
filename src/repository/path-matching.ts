import type { SourceFiles } from './source-files.ts';

/** `exact`: as it was asked for. `corrected`: the only near miss. Otherwise `suggestions`, nearest first, maybe none. */
export type PathMatch =
  | { kind: 'file' | 'folder'; path: string; exact: boolean }
  | { kind: 'link'; path: string }
  | { kind: 'none'; suggestions: string[] };

/** Finds the file or folder that a model meant (SHERLOC §3.2: fuzzy path matching). Folders end in "/"; the root is "". */
export function matchPath(source: SourceFiles, asked: string): PathMatch {
  const wanted = cleaned(asked);
  const direct = directly(source, wanted);
  if (direct) return { ...direct, exact: wanted === asked.replace(/^\.\//, '') };
  if (source.links.has(wanted)) return { kind: 'link', path: wanted };
  for (const find of [byCase, bySuffix, byModuleName, byTail]) {
    const found = find(source, wanted);
    if (found.length === 1) return corrected(found[0] as string);
    if (found.length > 1) return { kind: 'none', suggestions: found.slice(0, 8) };
  }
  return byDistance(source, wanted);
}

function cleaned(asked: string): string {
  const path = asked
    .slice(0, 1000)
    .trim()
    .replaceAll('\\', '/')
    .replace(/^["'`<]+|["'`>]+$/g, '');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/') + (path.endsWith('/') && parts.length > 0 ? '/' : '');
}

function directly(source: SourceFiles, path: string): { kind: 'file' | 'folder'; path: string } | undefined {
  if (source.has(path)) return { kind: 'file', path };
  const folder = path === '' || path.endsWith('/') ? path : `${path}/`;
  return source.folders.has(folder) ? { kind: 'folder', path: folder } : undefined;
}

const corrected = (path: string): PathMatch => ({ kind: path.endsWith('/') ? 'folder' : 'file', path, exact: false });

function* everything(source: SourceFiles): Generator<string> {
  yield* source.sizes.keys();
  yield* source.folders.keys();
}

function byCase(source: SourceFiles, wanted: string): string[] {
  const lower = wanted.toLowerCase().replace(/\/$/, '');
  const found: string[] = [];
  for (const path of everything(source)) {
    if (path.length - lower.length <= 1 && path.toLowerCase().replace(/\/$/, '') === lower) found.push(path);
  }
  return found;
}

/** A path from the middle of the tree: `core/expr.py` for `sympy/core/expr.py`. */
function bySuffix(source: SourceFiles, wanted: string): string[] {
  if (wanted === '') return [];
  const end = `/${wanted}`;
  return [...everything(source)].filter((path) => path.endsWith(end) || path.endsWith(`${end}/`));
}

/** `package.module` for `package/module.py`, and a path without its extension. */
function byModuleName(source: SourceFiles, wanted: string): string[] {
  const stem = wanted.includes('/') ? wanted : wanted.replaceAll('.', '/');
  if (stem === '') return [];
  const found: string[] = [];
  for (const path of source.sizes.keys()) {
    const dot = path.lastIndexOf('.');
    const bare = dot > path.lastIndexOf('/') ? path.slice(0, dot) : path;
    if (bare === stem || bare === `${stem}/__init__` || bare.endsWith(`/${stem}`)) found.push(path);
  }
  return found;
}

/** A path with folders in front that are not in the tree: `/testbed/sympy/core/expr.py`, `a/src/x.ts`. */
function byTail(source: SourceFiles, wanted: string): string[] {
  const parts = wanted.split('/');
  for (let drop = 1; drop < Math.min(parts.length, 40); drop++) {
    const tail = directly(source, parts.slice(drop).join('/'));
    if (tail?.kind === 'file' || (tail && parts.length - drop > 1)) return [tail.path];
  }
  return [];
}

/** The nearest names by edit distance; corrected when one is nearer than all others. */
function byDistance(source: SourceFiles, wanted: string): PathMatch {
  const name = lastName(wanted).toLowerCase();
  if (name === '' || name.length > 120) return { kind: 'none', suggestions: [] };
  const limit = Math.max(1, Math.floor(name.length / 4));
  const near: { path: string; distance: number; folders: number }[] = [];
  for (const path of source.sizes.keys()) {
    const distance = editDistance(name, lastName(path).toLowerCase(), limit);
    if (distance > limit) continue;
    const folders = folderDistance(wanted, path);
    near.push({ path, folders, distance: distance + folders / 10 });
  }
  near.sort((a, b) => a.distance - b.distance || (a.path < b.path ? -1 : 1));
  const [first, second] = near;
  // A common name in a quite different folder is no correction.
  const close = first && first.distance < 2.5 && (first.folders <= 2 || !wanted.includes('/'));
  const alone = close && (!second || second.distance - first.distance >= 0.5);
  return alone ? corrected(first.path) : { kind: 'none', suggestions: near.slice(0, 8).map(({ path }) => path) };
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Folders that only one of the two paths has. */
function folderDistance(a: string, b: string): number {
  const left = new Set(a.toLowerCase().split('/').slice(0, -1));
  const right = b.toLowerCase().split('/').slice(0, -1);
  const shared = right.filter((folder) => left.has(folder)).length;
  return left.size + right.length - 2 * shared;
}

/** Levenshtein distance, or more than `limit` as soon as it must be above it. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    if (Math.min(...next) > limit) return limit + 1;
    row = next;
  }
  return row[b.length] as number;
}
