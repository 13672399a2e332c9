import path from 'node:path';
import { doubleQuoted, singleQuoted } from './common-syntax.ts';
import type { ImportStatement, Language, LineDefinition, Project, Resolve } from './language.ts';
import { isWordCode, keywordDefinition, lineTokens, quotedAt, skipBlank, wordAt, wordsIn } from './scan.ts';

export const go: Language = {
  name: 'Go',
  extensions: ['go'],
  grammar: 'go',
  blocks: 'braces',
  syntax: {
    lineComments: ['//'],
    blockComments: [['/*', '*/']],
    strings: [doubleQuoted, singleQuoted, { open: '`', close: '`', multiline: true, escapes: false }],
  },
  definition: (line) => method(line) ?? keywordDefinition(line, new Set(), KINDS),
  imports: (code, source) => goImports(code, source),
  resolver: (project) => goResolver(project),
};

const KINDS = new Map([
  ['func', 'function'],
  ['type', 'type'],
]);

/** `func (receiver T) Name(`. */
function method(line: string): LineDefinition | undefined {
  if (!line.startsWith('func (')) return undefined;
  const tokens = lineTokens(line, 30);
  const name = tokens[tokens.indexOf(')') + 1] ?? '';
  return isWordCode(name.charCodeAt(0)) ? { name, kind: 'method' } : undefined;
}

function goImports(code: string, source: string): ImportStatement[] {
  const found: ImportStatement[] = [];
  for (const { end } of wordsIn(code, new Set(['import']))) {
    let at = skipBlank(code, end);
    const several = code[at] === '(';
    if (several) at = skipBlank(code, at + 1);
    for (let next = oneImport(code, source, at, found); next !== undefined && several; )
      next = oneImport(code, source, next, found);
    // Imports end before the first declaration.
    if (!several && found.length === 0) break;
  }
  return found;
}

/** An import with or without a name of its own; gives the offset after it, or undefined when none stands there. */
function oneImport(code: string, source: string, from: number, found: ImportStatement[]): number | undefined {
  let at = skipBlank(code, from);
  const alias = wordAt(code, at);
  if (alias !== '' || code[at] === '.') at = skipBlank(code, at + (alias.length || 1));
  const quoted = quotedAt(code, source, at);
  if (!quoted) return undefined;
  found.push({ module: quoted.text, names: [] });
  return quoted.end;
}

/** Packages are folders: an import of one of the repository's own modules leads to its folder. */
function goResolver(project: Project): Resolve {
  const modules = project.files
    .filter((file) => path.posix.basename(file) === 'go.mod')
    .map((file) => ({ folder: file.slice(0, -'go.mod'.length), name: moduleName(project.text(file) ?? '') }))
    .filter((module) => module.name !== '')
    .sort((a, b) => b.name.length - a.name.length);
  return ({ module }) => {
    const own = modules.find(({ name }) => module === name || module.startsWith(`${name}/`));
    if (!own) return [];
    const rest = module.slice(own.name.length + 1);
    const folder = own.folder + (rest === '' ? '' : `${rest}/`);
    return folder !== '' && project.folder(folder) ? [folder] : [];
  };
}

function moduleName(text: string): string {
  const line = text.split('\n').find((one) => one.startsWith('module '));
  return line?.slice(7).split('//')[0]?.trim().replace(/^"|"$/g, '') ?? '';
}
