import path from 'node:path';
import type { Project, Resolve } from './language.ts';
import { exportTargets, type PackageJson, PackageTable } from './node-packages.ts';
import { PathAliases } from './tsconfig-paths.ts';

/**
 * Where a specifier leads inside the repository: relative paths, tsconfig `paths` and `baseUrl`, `#imports`, and the
 * repository's own packages by name. Built output that is not checked in is traced to its source.
 */
export function javascriptResolver(project: Project): Resolve {
  const aliases = new PathAliases(project);
  const packages = new PackageTable(project);
  return ({ module }, from) => {
    const specifier = withoutQuery(module);
    if (specifier === '') return [];
    const folder = path.posix.dirname(from);
    if (specifier.startsWith('.')) {
      const near = (name: string) => relativeFile(project, packages, path.posix.join(folder, name));
      return one(near(module) ?? near(specifier));
    }
    const internal = specifier.startsWith('#') ? internalImport(project, packages, specifier, from) : undefined;
    if (internal !== undefined) return [internal];
    for (const candidate of aliases.candidates(specifier, from)) {
      const found = scriptFile(project, candidate);
      if (found !== undefined) return [found];
    }
    return one(workspaceFile(project, packages, specifier));
  };
}

const one = (file: string | undefined): string[] => (file === undefined ? [] : [file]);

function withoutQuery(module: string): string {
  const cut = module.slice(1).search(/[?#]/);
  return cut < 0 ? module : module.slice(0, cut + 1);
}

const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.ts', '.vue', '.svelte'];
const SOURCES: Record<string, string[]> = {
  '.js': ['.ts', '.tsx', '.jsx', '.d.ts'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

/** The file that a path without certainty about its extension stands for (as TypeScript's bundler resolution). */
function scriptFile(project: Project, candidate: string): string | undefined {
  const base = path.posix.normalize(candidate).replace(/\/$/, '');
  if (base.startsWith('..')) return undefined;
  if (base === '.') return indexFile(project, 'index');
  const extension = path.posix.extname(base);
  const sources = (SOURCES[extension] ?? []).map((source) => base.slice(0, -extension.length) + source);
  const direct = [base, ...sources, ...EXTENSIONS.map((end) => base + end)].find((file) => project.has(file));
  return direct ?? indexFile(project, `${base}/index`);
}

/** A file, or a folder that is a package of its own. */
function relativeFile(project: Project, packages: PackageTable, candidate: string): string | undefined {
  const base = path.posix.normalize(candidate).replace(/\/$/, '');
  const folder = base === '.' ? '' : `${base}/`;
  const own = project.has(base) ? undefined : packages.in(folder);
  const main = own ? firstOf(project, folder, entriesOf(own.json)) : undefined;
  return main ?? scriptFile(project, candidate);
}

function indexFile(project: Project, stem: string): string | undefined {
  return EXTENSIONS.map((end) => stem + end).find((file) => project.has(file));
}

function internalImport(project: Project, packages: PackageTable, specifier: string, from: string): string | undefined {
  const own = packages.around(from);
  if (!own) return undefined;
  return firstOf(project, own.folder, exportTargets(own.json['imports'], specifier));
}

function workspaceFile(project: Project, packages: PackageTable, specifier: string): string | undefined {
  const parts = specifier.split('/');
  const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
  const found = packages.named(name);
  if (!found) return undefined;
  const rest = specifier.slice(name.length);
  return firstOf(project, found.folder, packageTargets(found.json, rest));
}

function packageTargets(json: PackageJson, rest: string): string[] {
  const targets = exportTargets(json['exports'], `.${rest}`);
  if (rest !== '') return [...targets, rest.slice(1), `src${rest}`];
  return [...targets, ...entriesOf(json), 'src/index', 'index'];
}

const entriesOf = (json: PackageJson): string[] =>
  [json['source'], json['module'], json['main'], json['types']].filter((entry) => typeof entry === 'string');

function firstOf(project: Project, folder: string, targets: string[]): string | undefined {
  for (const target of targets) {
    for (const candidate of sourcesOf(target)) {
      const found = scriptFile(project, path.posix.join(folder, candidate));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

const OUTPUT = /^(?:\.\/)?(?:dist|lib|build|out|esm|cjs)\//;

/** A built file, and where its source usually is. */
function sourcesOf(target: string): string[] {
  const source = target.replace(OUTPUT, 'src/');
  const guesses = source === target ? [target] : [target, source];
  return guesses.flatMap((guess) => [
    guess,
    guess.replace(/\.d\.([cm]?)ts$/, '.$1ts'),
    guess.replace(/\.[cm]?js$/, ''),
  ]);
}
