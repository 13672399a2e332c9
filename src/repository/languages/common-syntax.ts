import type { LineDefinition } from './language.ts';
import type { StringSyntax, Syntax } from './mask.ts';
import { isWordCode, lineTokens } from './scan.ts';

export const doubleQuoted: StringSyntax = { open: '"', close: '"', multiline: false, escapes: true };
export const singleQuoted: StringSyntax = { open: "'", close: "'", multiline: false, escapes: true };
export const tripleQuoted: StringSyntax = { open: '"""', close: '"""', multiline: true, escapes: true };

/** Comments and strings as in C and its many descendants; `more` strings are tried first. */
export function cLikeSyntax(...more: StringSyntax[]): Syntax {
  return { lineComments: ['//'], blockComments: [['/*', '*/']], strings: [...more, doubleQuoted, singleQuoted] };
}

/** `type name(…) {`: a function or method by its shape, in languages that have no word for it. */
export function functionByShape(line: string): LineDefinition | undefined {
  const trimmed = line.length > 1000 ? '' : line.trimEnd();
  if (!trimmed.includes('(') || trimmed.endsWith(';') || trimmed.endsWith(',')) return undefined;
  const tokens = lineTokens(trimmed, 40);
  const open = tokens.indexOf('(');
  const name = tokens[open - 1] ?? '';
  const before = tokens.slice(0, open - 1);
  if (before.length === 0 || !isWordCode(name.charCodeAt(0)) || NO_NAME.has(name)) return undefined;
  const typeLike = before.every((token) =>
    isWordCode(token.charCodeAt(0)) ? !NO_TYPE.has(token) : '*&<>,[]:~@?'.includes(token),
  );
  return typeLike ? { name, kind: 'function' } : undefined;
}

const NO_NAME = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'sizeof',
  'new',
  'throw',
  'foreach',
  'using',
  'lock',
]);
const NO_TYPE = new Set([
  'return',
  'else',
  'new',
  'throw',
  'case',
  'goto',
  'delete',
  'await',
  'if',
  'while',
  'for',
  'do',
  'define',
  'include',
  'yield',
  'in',
]);
