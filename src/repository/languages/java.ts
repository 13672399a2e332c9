import { cLikeSyntax, functionByShape, tripleQuoted } from './common-syntax.ts';
import { type PackageSyntax, packageResolver, packageStatements } from './declared-packages.ts';
import type { Language } from './language.ts';
import { keywordDefinition } from './scan.ts';

/** Java's packages, shared with Kotlin: a project may hold both. */
export const JVM_PACKAGES: PackageSyntax = {
  extensions: ['java', 'kt', 'kts'],
  declares: 'package',
  imports: 'import',
  skipped: ['static'],
  separator: '.',
};

export const java: Language = {
  name: 'Java',
  extensions: ['java'],
  grammar: 'java',
  blocks: 'braces',
  syntax: cLikeSyntax(tripleQuoted),
  definition: (line) => keywordDefinition(line, MODIFIERS, KINDS) ?? functionByShape(line),
  imports: (code) => packageStatements(code, JVM_PACKAGES),
  resolver: (project) => packageResolver(project, JVM_PACKAGES),
};

const MODIFIERS = new Set(['public', 'protected', 'private', 'abstract', 'static', 'final', 'sealed', 'strictfp', '@']);
const KINDS = new Map([
  ['class', 'class'],
  ['interface', 'interface'],
  ['enum', 'enum'],
  ['record', 'class'],
]);
