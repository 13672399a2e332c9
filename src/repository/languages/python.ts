import type { ImportStatement, Language } from './language.ts';
import { pythonResolver } from './python-resolver.ts';
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
