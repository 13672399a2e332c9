import { cLikeSyntax, tripleQuoted } from './common-syntax.ts';
import { packageResolver, packageStatements } from './declared-packages.ts';
import { JVM_PACKAGES } from './java.ts';
import type { Language } from './language.ts';
import { keywordDefinition } from './scan.ts';

export const kotlin: Language = {
  name: 'Kotlin',
  extensions: ['kt', 'kts'],
  grammar: 'kotlin',
  blocks: 'braces',
  syntax: cLikeSyntax(tripleQuoted),
  definition: (line) => keywordDefinition(line, MODIFIERS, KINDS),
  imports: (code) => packageStatements(code, JVM_PACKAGES),
  resolver: (project) => packageResolver(project, JVM_PACKAGES),
};

const MODIFIERS = new Set([
  'public',
  'protected',
  'private',
  'internal',
  'abstract',
  'open',
  'final',
  'sealed',
  'data',
  'inline',
  'override',
  'suspend',
  'operator',
  'infix',
  'enum',
  'annotation',
  'companion',
  'const',
  'lateinit',
  'tailrec',
  'value',
  'inner',
  'external',
  'expect',
  'actual',
]);
const KINDS = new Map([
  ['class', 'class'],
  ['interface', 'interface'],
  ['object', 'class'],
  ['fun', 'function'],
  ['typealias', 'type'],
]);
