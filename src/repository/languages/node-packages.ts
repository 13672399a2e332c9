import type { Project } from './language.ts';
import { parseLenientJson } from './lenient-json.ts';

export type PackageJson = Record<string, unknown>;

interface Package {
  /** Ends in "/", or is "" at the root. */
  folder: string;
  json: PackageJson;
}

/** The repository's own packages. */
export class PackageTable {
  private readonly byName = new Map<string, Package>();
  private readonly byFolder = new Map<string, Package>();

  constructor(project: Project) {
    for (const file of project.files) {
      if (file !== 'package.json' && !file.endsWith('/package.json')) continue;
      const json = parseLenientJson(project.text(file));
      if (!json) continue;
      const found = { folder: file.slice(0, -'package.json'.length), json };
      this.byFolder.set(found.folder, found);
      const name = json['name'];
      if (typeof name === 'string' && !this.byName.has(name)) this.byName.set(name, found);
    }
  }

  named(name: string): Package | undefined {
    return this.byName.get(name);
  }

  /** The package of a folder (ending in "/", or "" for the root) itself. */
  in(folder: string): Package | undefined {
    return this.byFolder.get(folder);
  }

  /** The package that a file belongs to. */
  around(file: string): Package | undefined {
    let folder = file.slice(0, file.lastIndexOf('/') + 1);
    for (;;) {
      const found = this.byFolder.get(folder);
      if (found || folder === '') return found;
      folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
    }
  }
}

/** What a package's `exports` or `imports` name for a key, every condition, in order (Node.js documentation, packages). */
export function exportTargets(table: unknown, key: string): string[] {
  if (!isSubpaths(table)) return key === '.' ? strings(table) : [];
  if (Object.hasOwn(table, key)) return strings(table[key]);
  for (const [name, value] of Object.entries(table)) {
    const middle = starOf(name, key);
    if (middle !== undefined) return strings(value).map((target) => target.replaceAll('*', () => middle));
  }
  return [];
}

function isSubpaths(table: unknown): table is Record<string, unknown> {
  if (table === null || typeof table !== 'object' || Array.isArray(table)) return false;
  return Object.keys(table).some((name) => name.startsWith('.') || name.startsWith('#'));
}

/** What the star of a pattern stands for in a key. */
function starOf(pattern: string, key: string): string | undefined {
  const star = pattern.indexOf('*');
  if (star < 0 || key.length < pattern.length - 1) return undefined;
  const end = pattern.slice(star + 1);
  if (!key.startsWith(pattern.slice(0, star)) || !key.endsWith(end)) return undefined;
  return key.slice(star, key.length - end.length);
}

function strings(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object' || depth > 8) return [];
  const names = Object.keys(value);
  const usual = names.filter((name) => USUAL_CONDITIONS.has(name));
  const ordered = [...usual, ...names.filter((name) => !USUAL_CONDITIONS.has(name))];
  return ordered.flatMap((name) => strings((value as Record<string, unknown>)[name], depth + 1));
}

/** Under other conditions a package may give styles, or code for one platform. */
const USUAL_CONDITIONS = new Set(['source', 'types', 'import', 'require', 'default']);
