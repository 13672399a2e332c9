import path from 'node:path';
import { doubleQuoted, singleQuoted } from './common-syntax.ts';
import { type PackageSyntax, packageResolver, packageStatements } from './declared-packages.ts';
import type { ImportStatement, Language, Project, Resolve } from './language.ts';
import { keywordDefinition, quotedAt, wordsIn } from './scan.ts';

const NAMESPACES: PackageSyntax = {
  extensions: ['php'],
  declares: 'namespace',
  imports: 'use',
  skipped: ['function', 'const'],
  separator: '\\',
};

export const php: Language = {
  name: 'PHP',
  extensions: ['php'],
  grammar: 'php',
  blocks: 'braces',
  syntax: {
    lineComments: ['//', '#'],
    blockComments: [['/*', '*/']],
    strings: [
      { ...doubleQuoted, multiline: true },
      { ...singleQuoted, multiline: true },
    ],
  },
  definition: (line) => keywordDefinition(line, MODIFIERS, KINDS),
  imports: (code, source) => [...packageStatements(code, NAMESPACES), ...includes(code, source)],
  resolver: (project) => phpResolver(project),
};

const MODIFIERS = new Set(['public', 'protected', 'private', 'abstract', 'static', 'final', 'readonly']);
const KINDS = new Map([
  ['function', 'function'],
  ['class', 'class'],
  ['interface', 'interface'],
  ['trait', 'trait'],
  ['enum', 'enum'],
]);
const INCLUDES = new Set(['require', 'require_once', 'include', 'include_once']);

/** `require 'a.php'` and `require __DIR__ . '/a.php'`. */
function includes(code: string, source: string): ImportStatement[] {
  const found: ImportStatement[] = [];
  for (const { end } of wordsIn(code, INCLUDES)) {
    const rest = code.slice(end, end + 40);
    const quote = rest.search(/['"]/);
    const quoted = quote >= 0 && !rest.slice(0, quote).includes(';') ? quotedAt(code, source, end + quote) : undefined;
    if (quoted) found.push({ module: quoted.text, names: [] });
  }
  return found;
}

function phpResolver(project: Project): Resolve {
  const byPackage = packageResolver(project, NAMESPACES);
  return (statement, from) => {
    if (!statement.module.endsWith('.php')) return byPackage(statement, from);
    const near = path.posix.join(path.posix.dirname(from), statement.module);
    const top = path.posix.normalize(statement.module).replace(/^\//, '');
    return [near, top].filter((file) => project.has(file)).slice(0, 1);
  };
}
