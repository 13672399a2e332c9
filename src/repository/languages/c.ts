import path from 'node:path';
import { cLikeSyntax, functionByShape } from './common-syntax.ts';
import type { ImportStatement, Language, LineDefinition, Project, Resolve } from './language.ts';
import { isWordCode, keywordDefinition, lineTokens } from './scan.ts';

/** C and C++ share their includes. Headers are read as C++, which most C is: nothing in their name tells. */
export const cpp: Language = {
  name: 'C and C++',
  extensions: ['h', 'cc', 'cpp', 'cxx', 'hpp', 'hh', 'hxx', 'inl', 'cu', 'm', 'mm'],
  grammar: 'cpp',
  blocks: 'braces',
  syntax: cLikeSyntax({ open: 'R"(', close: ')"', multiline: true, escapes: false }),
  definition: (line) => recordDefinition(line) ?? functionByShape(line),
  imports: (code, source) => includes(code, source),
  resolver: (project) => includeResolver(project),
};

export const c: Language = { ...cpp, extensions: ['c'], grammar: 'c' };

const MODIFIERS = new Set(['typedef', 'static', 'inline', 'const']);
const KINDS = new Map([
  ['class', 'class'],
  ['struct', 'struct'],
  ['union', 'struct'],
  ['enum', 'enum'],
  ['namespace', 'namespace'],
]);

/** `struct name {` and not `struct name *made(…)`; macros may stand before the name (`class EXPORT Name : Base`). */
function recordDefinition(line: string): LineDefinition | undefined {
  const defined = keywordDefinition(line, MODIFIERS, KINDS);
  if (!defined) return undefined;
  const tokens = lineTokens(line, 24);
  let at = tokens.indexOf(defined.name);
  while (isWordCode((tokens[at + 1] ?? '').charCodeAt(0)) && tokens[at + 1] !== 'final') at++;
  const next = tokens[at + 1];
  const begins = next === undefined || next === '{' || next === ':' || next === 'final' || next === '<';
  return begins ? { name: tokens[at] as string, kind: defined.kind } : undefined;
}

function includes(code: string, source: string): ImportStatement[] {
  const found: ImportStatement[] = [];
  for (let hash = code.indexOf('#'); hash >= 0; hash = code.indexOf('#', hash + 1)) {
    const line = source.slice(hash, hash + 300).split('\n', 1)[0] as string;
    const match = /^#[ \t]{0,20}(?:include|import)[ \t]{0,20}["<]([^">]{1,250})[">]/.exec(line);
    if (match) found.push({ module: match[1] as string, names: [] });
  }
  return found;
}

/** Next to the including file first, then the file whose path ends so; of several the one in the nearest folder. */
function includeResolver(project: Project): Resolve {
  const byName = new Map<string, string[]>();
  for (const file of project.files) {
    const name = path.posix.basename(file);
    const same = byName.get(name);
    if (same) same.push(file);
    else byName.set(name, [file]);
  }
  return ({ module }, from) => {
    const near = path.posix.join(path.posix.dirname(from), module);
    if (project.has(near)) return [near];
    const wanted = path.posix.normalize(module).replace(/^(?:\.\.\/)+/, '');
    const ends = (byName.get(path.posix.basename(wanted)) ?? []).filter(
      (file) => file === wanted || file.endsWith(`/${wanted}`),
    );
    return ends.sort((a, b) => sharedLength(b, from) - sharedLength(a, from) || a.length - b.length).slice(0, 1);
  };
}

function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
