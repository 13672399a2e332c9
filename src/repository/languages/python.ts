import type { ImportStatement, Language, Project, Resolve } from './language.ts';
import { keywordDefinition, skipBlank, wordAt } from './scan.ts';

export const python: Language = {
  name: 'Python',
  extensions: ['py', 'pyi', 'pyx', 'pxd'],
  grammar: 'python',
  blocks: 'indent',
  syntax: {
    lineComments: ['#'],
    blockComments: [],
    strings: ['"""', "'''", '"', "'"].map((quote) => ({
      open: quote,
      close: quote,
      multiline: quote.length === 3,
      escapes: true,
    })),
  },
  definition: (line) => keywordDefinition(line, MODIFIERS, KINDS) ?? constantDefinition(line),
  imports: (code) => pythonImports(code),
  resolver: (project) => pythonResolver(project),
};

const MODIFIERS = new Set(['async']);
const KINDS = new Map([
  ['def', 'function'],
  ['class', 'class'],
  ['cdef', 'function'],
  ['cpdef', 'function'],
]);

/** `NAME = …` or `NAME: type = …` at the left edge of a module. */
function constantDefinition(line: string): { name: string; kind: string } | undefined {
  const name = wordAt(line.slice(0, 200), 0);
  if (name === '' || (name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57)) return undefined;
  const rest = line.slice(name.length, name.length + 200).trimStart();
  const assigned = rest.startsWith('=') && !rest.startsWith('==');
  const annotated = rest.startsWith(':') && rest.includes('=');
  return assigned || (annotated && !PYTHON_BLOCKS.has(name)) ? { name, kind: 'variable' } : undefined;
}

const PYTHON_BLOCKS = new Set([
  'else',
  'try',
  'finally',
  'except',
  'with',
  'if',
  'for',
  'while',
  'lambda',
  'match',
  'case',
]);

/** Statements that begin with `import` or `from`, wherever they stand: after indentation, ";" or ":". */
function pythonImports(code: string): ImportStatement[] {
  const text = code.replace(/\\\r?\n/g, (joined) => ' '.repeat(joined.length));
  const found: ImportStatement[] = [];
  let at = 0;
  let open = true;
  while (at < text.length) {
    const char = text[at] as string;
    if (char === '\n' || char === ';' || char === ':') open = true;
    else if (open && char !== ' ' && char !== '\t' && char !== '\r' && char !== '\f' && char !== '\ufeff') {
      open = false;
      const end = statementAt(text, at, found);
      if (end > at) {
        at = end;
        continue;
      }
    }
    at++;
  }
  return found;
}

/** Reads the import that begins at `at` into `found`; gives the offset after it, or `at` when none begins there. */
function statementAt(text: string, at: number, found: ImportStatement[]): number {
  const word = wordAt(text, at);
  if (word === 'import') {
    const end = clauseEnd(text, at + 6);
    for (const part of text.slice(at + 6, end).split(',')) {
      const module = firstWord(part);
      if (module !== '') found.push({ module, names: [] });
    }
    return end;
  }
  if (word !== 'from') return at;
  const lineEnd = clauseEnd(text, at + 4);
  const clause = text.slice(at + 4, lineEnd);
  const split = importWord(clause);
  if (split < 0) return at;
  const module = clause.slice(0, split).replace(/[ \t]/g, '');
  if (module === '') return at;
  const start = skipInline(text, at + 4 + split + 6);
  const length = text[start] === '(' ? text.slice(start, start + NAMES).indexOf(')') : -1;
  const close = length < 0 ? -1 : start + length;
  const names = close < 0 ? text.slice(start, lineEnd) : text.slice(start + 1, close);
  found.push({
    module,
    names: names
      .split(',')
      .map(firstWord)
      .filter((name) => name !== ''),
  });
  return close < 0 ? lineEnd : close + 1;
}

/** Longest clause that is read, so that a file made to be slow is not. */
const CLAUSE = 600;
const NAMES = 20_000;

function clauseEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + CLAUSE);
  for (let at = from; at < limit; at++) if (text[at] === '\n' || text[at] === ';') return at;
  return limit;
}

/** Offset of the word `import` that follows the module: `from .import x` and `from . import x` are both written. */
function importWord(clause: string): number {
  for (let at = clause.indexOf('import'); at >= 0; at = clause.indexOf('import', at + 6)) {
    const before = clause[at - 1] ?? '';
    const next = clause[at + 6] ?? '';
    if (' \t.'.includes(before) && before !== '' && (next === '' || ' \t(*\r'.includes(next))) return at;
  }
  return -1;
}

const skipInline = (text: string, at: number): number => (text[at] === '\n' ? at : skipBlank(text, at));

const firstWord = (part: string): string => part.trim().split(/\s/, 1)[0] ?? '';

function pythonResolver(project: Project): Resolve {
  const modules = new PythonModules(project);
  return ({ module, names }, from) => {
    const dots = leadingDots(module);
    const base = dots > 0 ? modules.relative(from, dots, module.slice(dots)) : undefined;
    if (dots > 0 && base === undefined) return [];
    const at = (name: string): string | undefined => {
      if (base === undefined) return modules.absolute(name === '' ? module : `${module}.${name}`, from);
      return modules.file(name === '' ? base : base === '' ? name : `${base}/${name}`);
    };
    return names.length === 0 ? wholeModule(module, at, modules, from) : namesOf(names, at);
  };
}

/** `import a.b.c` runs a, a.b and a.b.c; the last that exists is what it leads to. */
function wholeModule(
  module: string,
  at: (name: string) => string | undefined,
  modules: PythonModules,
  from: string,
): string[] {
  const direct = at('');
  if (direct !== undefined) return [direct];
  const parts = module.split('.');
  for (let length = parts.length - 1; length > 0; length--) {
    const found = modules.absolute(parts.slice(0, length).join('.'), from);
    if (found !== undefined) return [found];
  }
  return [];
}

/** A name may be a module of the package, or something defined in the package's own file. */
function namesOf(names: string[], at: (name: string) => string | undefined): string[] {
  const own = at('');
  const packageFile =
    own === undefined || own.endsWith('/__init__.py') || own.endsWith('__init__.pyi') || own === '__init__.py';
  const found = new Set<string>();
  for (const name of names) {
    const submodule = packageFile && name !== '*' ? at(name) : undefined;
    const target = submodule ?? own;
    if (target !== undefined) found.add(target);
  }
  return [...found];
}

function leadingDots(module: string): number {
  let dots = 0;
  while (module[dots] === '.') dots++;
  return dots;
}

class PythonModules {
  private readonly project: Project;
  private readonly roots: string[];
  private readonly known = new Map<string, string | undefined>();

  constructor(project: Project) {
    this.project = project;
    this.roots = sourceRoots(project);
  }

  /** The file of a module at a path without extension: a module, then a package. */
  file(path: string): string | undefined {
    for (const end of ['.py', '.pyx', '.pyi', '/__init__.py', '/__init__.pyi']) {
      if (this.project.has(path + end)) return path + end;
    }
    return undefined;
  }

  /** The path that dots and a name stand for, seen from a file; undefined beyond the top. */
  relative(from: string, dots: number, rest: string): string | undefined {
    const folders = from.split('/').slice(0, -1);
    if (dots - 1 > folders.length) return undefined;
    const base = folders.slice(0, folders.length - (dots - 1));
    return [...base, ...rest.split('.').filter((part) => part !== '')].join('/');
  }

  /** Nearest source root above the importing file first, then the script's own folder, then any root. */
  absolute(module: string, from: string): string | undefined {
    const folder = from.slice(0, from.lastIndexOf('/') + 1);
    const key = `${folder}\n${module}`;
    if (this.known.has(key)) return this.known.get(key);
    const path = module.replaceAll('.', '/');
    const above = this.roots.filter((root) => folder.startsWith(root));
    const isPackage = this.project.has(`${folder}__init__.py`);
    const places = [...above, ...(isPackage ? [] : [folder]), ...this.roots];
    let found: string | undefined;
    for (const place of places) {
      found = this.file(place + path);
      if (found !== undefined) break;
    }
    this.known.set(key, found);
    return found;
  }
}

/** Folders that modules are imported from: the parents of top packages, `src/` layouts, and the root; deepest first. */
function sourceRoots(project: Project): string[] {
  const roots = new Set<string>(['']);
  for (const file of project.files) {
    if (!file.endsWith('/__init__.py')) continue;
    let top = file.slice(0, file.lastIndexOf('/') + 1);
    while (top !== '' && project.has(`${top}__init__.py`)) top = top.slice(0, top.lastIndexOf('/', top.length - 2) + 1);
    roots.add(top);
  }
  for (const name of ['src/', 'lib/', 'python/']) if (project.folder(name)) roots.add(name);
  return [...roots].sort((a, b) => b.length - a.length);
}
