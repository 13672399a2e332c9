import { javascriptResolver } from './javascript-resolver.ts';
import type { ImportStatement, Language } from './language.ts';
import { isWordCode, keywordDefinition, lineTokens, quotedAt, skipBlank, wordAt, wordsIn } from './scan.ts';

const quote = (sign: string) => ({ open: sign, close: sign, multiline: false, escapes: true });

const base: Omit<Language, 'name' | 'extensions' | 'grammar'> = {
  blocks: 'braces',
  syntax: {
    lineComments: ['//'],
    blockComments: [['/*', '*/']],
    strings: [quote('"'), quote("'")],
    slashRegex: true,
  },
  definition: (line) => keywordDefinition(line, MODIFIERS, KINDS) ?? functionValue(line) ?? methodDefinition(line),
  imports: (code, source) => javascriptImports(code, source),
  resolver: (project) => javascriptResolver(project),
};

export const javascript: Language = {
  ...base,
  name: 'JavaScript',
  extensions: ['js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte'],
  grammar: 'javascript',
};
export const typescript: Language = {
  ...base,
  name: 'TypeScript',
  extensions: ['ts', 'mts', 'cts'],
  grammar: 'typescript',
};
export const tsx: Language = { ...base, name: 'TSX', extensions: ['tsx'], grammar: 'tsx' };

const MODIFIERS = new Set(['export', 'default', 'declare', 'abstract', 'async']);
const KINDS = new Map([
  ['function', 'function'],
  ['class', 'class'],
  ['interface', 'interface'],
  ['type', 'type'],
  ['enum', 'enum'],
  ['namespace', 'namespace'],
]);

/** `const name = (…) =>` and `exports.name = function`. */
function functionValue(line: string): { name: string; kind: string } | undefined {
  const tokens = lineTokens(line);
  const at = tokens[0] === 'export' ? 1 : 0;
  if (['const', 'let', 'var'].includes(tokens[at] ?? '')) return variable(line, tokens[at + 1] ?? '', tokens);
  const equals = tokens.indexOf('=');
  const dotted = equals > 2 && tokens[equals - 2] === '.' && ['function', 'async'].includes(tokens[equals + 1] ?? '');
  return dotted ? { name: tokens[equals - 1] as string, kind: 'function' } : undefined;
}

function variable(line: string, name: string, tokens: string[]): { name: string; kind: string } | undefined {
  if (!isWordCode(name.charCodeAt(0))) return undefined;
  if (line.includes('=>') || tokens.includes('function')) return { name, kind: 'function' };
  const topLevel = line[0] !== ' ' && line[0] !== '\t';
  return topLevel ? { name, kind: 'variable' } : undefined;
}

/** `name(…) {` inside a class or an object. */
function methodDefinition(line: string): { name: string; kind: string } | undefined {
  if ((line[0] !== ' ' && line[0] !== '\t') || line.length > 400 || !line.trimEnd().endsWith('{')) return undefined;
  const tokens = lineTokens(line);
  let at = 0;
  while (METHOD_WORDS.has(tokens[at] ?? '') && tokens[at + 1] !== '(') at++;
  if (tokens[at] === '#') at++;
  const name = tokens[at] ?? '';
  if (!isWordCode(name.charCodeAt(0)) || NO_METHOD.has(name)) return undefined;
  return tokens[at + 1] === '(' || tokens[at + 1] === '<' ? { name, kind: 'method' } : undefined;
}

const METHOD_WORDS = new Set([
  'async',
  'static',
  'get',
  'set',
  'public',
  'private',
  'protected',
  'readonly',
  'override',
  'abstract',
  '*',
]);
const NO_METHOD = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'function',
  'return',
  'with',
  'super',
  'await',
  'new',
  'do',
  'else',
]);
const IMPORT_WORDS = new Set(['import', 'export', 'require']);

function javascriptImports(code: string, source: string): ImportStatement[] {
  const found: ImportStatement[] = [];
  for (const { word, at, end } of wordsIn(code, IMPORT_WORDS)) {
    if (code[at - 1] === '.') continue;
    const specifier = word === 'require' ? called(code, source, end) : fromClause(code, source, end, word);
    if (specifier !== undefined) found.push({ module: specifier, names: [] });
  }
  return found;
}

/** `require('x')`, `import('x')` and `require.resolve('x')`. */
function called(code: string, source: string, end: number): string | undefined {
  let at = skipBlank(code, end);
  if (code.startsWith('.resolve', at)) at = skipBlank(code, at + 8);
  if (code[at] !== '(') return undefined;
  const open = skipBlank(code, at + 1);
  return quotedAt(code, source, open)?.text ?? templateAt(code, source, open);
}

/** A template without anything filled in is a string like others. */
function templateAt(code: string, source: string, at: number): string | undefined {
  const end = code[at] === '`' ? code.indexOf('`', at + 1) : -1;
  const text = end < 0 || end - at > 1000 ? '' : source.slice(at + 1, end);
  return text === '' || text.includes('${') || text.includes('\n') ? undefined : text;
}

/** What stands after `import` or `export`, up to the quoted module or to a sign that no such clause holds. */
function fromClause(code: string, source: string, end: number, word: string): string | undefined {
  const start = skipBlank(code, end);
  if (word === 'import') {
    if (code[start] === '(') return called(code, source, start);
    const bare = quotedAt(code, source, start);
    if (bare) return bare.text;
  }
  return afterNames(code, source, start);
}

/** Walks over names, braces and commas to `from 'module'`. */
function afterNames(code: string, source: string, start: number): string | undefined {
  let at = start;
  let afterFrom = false;
  while (at < code.length) {
    const quoted = quotedAt(code, source, at);
    if (quoted && afterFrom) return quoted.text;
    const token = quoted ? '' : wordAt(code, at);
    const allowed = quoted !== undefined || token !== '' || '{},*'.includes(code[at] as string);
    if (!allowed || NOT_EXPORTED_FROM.has(token)) return undefined;
    afterFrom = token === 'from';
    at = skipBlank(code, quoted?.end ?? at + (token.length || 1));
  }
  return undefined;
}

const NOT_EXPORTED_FROM = new Set([
  'import',
  'export',
  'const',
  'let',
  'var',
  'function',
  'class',
  'interface',
  'enum',
  'namespace',
  'abstract',
  'async',
]);
