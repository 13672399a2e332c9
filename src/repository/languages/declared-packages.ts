import path from 'node:path';
import type { ImportStatement, Project, Resolve } from './language.ts';
import { skipBlank, wordAt, wordsIn } from './scan.ts';

/** How a language with declared packages writes them. */
export interface PackageSyntax {
  extensions: readonly string[];
  /** The word before a file's own package, and those before an import. */
  declares: string;
  imports: string;
  /** Words that may follow the import's word and mean nothing here. */
  skipped: readonly string[];
  separator: '.' | '\\';
}

const MAX_TARGETS = 8;

/** `package a.b;` and `import a.b.C;` and what looks like them. Only statements at the beginning of a line count. */
export function packageStatements(code: string, syntax: PackageSyntax): ImportStatement[] {
  const found: ImportStatement[] = [];
  for (const { word, at, end } of wordsIn(code, new Set([syntax.declares, syntax.imports]))) {
    if (!startsLine(code, at)) continue;
    const module = qualifiedName(code, end, syntax);
    if (module === '') continue;
    const declares = word === syntax.declares;
    found.push({ module, names: [], ...(declares ? { declares } : {}) });
  }
  return found;
}

function startsLine(code: string, at: number): boolean {
  const start = code.lastIndexOf('\n', at - 1) + 1;
  return at - start < 40 && /^\s*(?:global\s+)?$/.test(code.slice(start, at));
}

function qualifiedName(code: string, from: number, syntax: PackageSyntax): string {
  let at = skipBlank(code, from);
  for (let word = wordAt(code, at); syntax.skipped.includes(word); word = wordAt(code, at))
    at = skipBlank(code, at + word.length);
  let name = '';
  while (name.length < 300) {
    const word = wordAt(code, at);
    const sign = code[at] ?? '';
    if (word !== '') name += word;
    else if (sign === syntax.separator || sign === '*') name += sign;
    else break;
    at += word.length || 1;
  }
  // `using x = A.B` and `using (resource)` name no package here; `use function A\\b` was skipped above.
  return name.startsWith(syntax.separator) ? name.slice(1) : name;
}

/** Finds classes by declared package and file name; everything else by the package's folders. */
export function packageResolver(project: Project, syntax: PackageSyntax): Resolve {
  const classes = new Map<string, string[]>();
  const folders = new Map<string, Set<string>>();
  for (const file of project.files) {
    if (!syntax.extensions.some((extension) => file.endsWith(`.${extension}`))) continue;
    const declared = project.statements(file).find(({ declares }) => declares)?.module;
    if (declared === undefined) continue;
    const name = path.posix.basename(file).split('.')[0] as string;
    add(classes, declared + syntax.separator + name, file);
    const folder = file.slice(0, file.lastIndexOf('/') + 1);
    if (folder !== '') folders.set(declared, (folders.get(declared) ?? new Set()).add(folder));
  }
  return ({ module }, from) => {
    const parts = module.split(syntax.separator);
    const wildcard = parts.at(-1) === '*';
    // A member of a class is imported by its class.
    for (let length = parts.length; length > 1 && !wildcard; length--) {
      const files = classes.get(parts.slice(0, length).join(syntax.separator));
      if (files) return nearest(files, from);
    }
    const whole = folders.get(wildcard ? parts.slice(0, -1).join(syntax.separator) : module);
    const outer = whole ?? folders.get(parts.slice(0, -1).join(syntax.separator));
    return [...(outer ?? [])].slice(0, MAX_TARGETS);
  };
}

function add(map: Map<string, string[]>, key: string, file: string): void {
  const files = map.get(key);
  if (files) files.push(file);
  else map.set(key, [file]);
}

/** Of several files with one name the one with the most folders in common. */
function nearest(files: string[], from: string): string[] {
  const shared = (file: string): number => {
    let at = 0;
    while (at < file.length && file[at] === from[at]) at++;
    return at;
  };
  return [files.reduce((a, b) => (shared(b) > shared(a) ? b : a))];
}
