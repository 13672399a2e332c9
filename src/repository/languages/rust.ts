import { doubleQuoted } from './common-syntax.ts';
import type { ImportStatement, Language } from './language.ts';
import { rustResolver } from './rust-resolver.ts';
import { keywordDefinition, skipBlank, wordAt, wordsIn } from './scan.ts';

export const rust: Language = {
  name: 'Rust',
  extensions: ['rs'],
  grammar: 'rust',
  blocks: 'braces',
  syntax: {
    lineComments: ['//'],
    blockComments: [['/*', '*/']],
    strings: [
      { open: 'r#"', close: '"#', multiline: true, escapes: false },
      { ...doubleQuoted, multiline: true },
      { open: "'", close: "'", multiline: false, escapes: true, within: 10 },
    ],
  },
  definition: (line) => keywordDefinition(line.replace(/^(\s*pub)\s?\([^)]{1,40}\)/, '$1'), MODIFIERS, KINDS),
  imports: (code) => rustImports(code),
  resolver: (project) => rustResolver(project),
};

const MODIFIERS = new Set(['pub', 'async', 'unsafe', 'const', 'default', 'extern']);
const KINDS = new Map([
  ['fn', 'function'],
  ['struct', 'struct'],
  ['enum', 'enum'],
  ['trait', 'trait'],
  ['mod', 'module'],
  ['type', 'type'],
  ['union', 'struct'],
]);
const LONGEST_USE = 4000;

/** `mod name;` (as `self::name`) and every path of a `use` tree. */
function rustImports(code: string): ImportStatement[] {
  const found: ImportStatement[] = [];
  for (const { word, end } of wordsIn(code, new Set(['use', 'mod']))) {
    const at = skipBlank(code, end);
    if (word === 'mod') {
      const name = wordAt(code, at);
      if (name !== '' && code[skipBlank(code, at + name.length)] === ';')
        found.push({ module: `self::${name}`, names: [] });
      continue;
    }
    const semicolon = code.slice(at, at + LONGEST_USE).indexOf(';');
    if (semicolon > 0) found.push(...usePaths(code.slice(at, at + semicolon)).map((module) => ({ module, names: [] })));
  }
  return found;
}

/** `a::{b::c, d}` as a::b::c and a::d. */
function usePaths(tree: string): string[] {
  const paths: string[] = [];
  const prefixes: string[] = [''];
  let current = '';
  const finish = () => {
    const path = (current.split(/\sas\s/)[0] ?? '').replace(/\s/g, '');
    if (path !== '' && paths.length < 200) paths.push(prefixes.at(-1) + path);
    current = '';
  };
  for (const sign of tree) {
    if (sign === '{') {
      prefixes.push((prefixes.at(-1) + current.replace(/\s/g, '')).slice(0, 300));
      current = '';
    } else if (sign === '}') {
      finish();
      if (prefixes.length > 1) prefixes.pop();
    } else if (sign === ',') finish();
    else current += sign;
  }
  finish();
  return paths.map((path) => path.replace(/::$/, ''));
}
