import { cLikeSyntax, functionByShape, tripleQuoted } from './common-syntax.ts';
import { type PackageSyntax, packageResolver, packageStatements } from './declared-packages.ts';
import type { Language } from './language.ts';
import { keywordDefinition } from './scan.ts';

const NAMESPACES: PackageSyntax = {
  extensions: ['cs'],
  declares: 'namespace',
  imports: 'using',
  skipped: ['static'],
  separator: '.',
};

export const csharp: Language = {
  name: 'C#',
  extensions: ['cs'],
  grammar: 'c-sharp',
  blocks: 'braces',
  syntax: cLikeSyntax(tripleQuoted, { open: '@"', close: '"', multiline: true, escapes: false }),
  definition: (line) => keywordDefinition(line, MODIFIERS, KINDS) ?? functionByShape(line),
  imports: (code) => packageStatements(code, NAMESPACES),
  resolver: (project) => packageResolver(project, NAMESPACES),
};

const MODIFIERS = new Set([
  'public',
  'protected',
  'private',
  'internal',
  'abstract',
  'static',
  'sealed',
  'partial',
  'readonly',
  'ref',
  'unsafe',
  'new',
  'file',
]);
const KINDS = new Map([
  ['class', 'class'],
  ['interface', 'interface'],
  ['enum', 'enum'],
  ['struct', 'struct'],
  ['record', 'class'],
]);
