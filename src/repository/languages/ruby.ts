import path from 'node:path';
import { doubleQuoted, singleQuoted } from './common-syntax.ts';
import type { ImportStatement, Language, LineDefinition, Project, Resolve } from './language.ts';
import { isWordCode, lineTokens, quotedAt, wordsIn } from './scan.ts';

export const ruby: Language = {
  name: 'Ruby',
  extensions: ['rb', 'rake'],
  grammar: 'ruby',
  blocks: 'end',
  syntax: { lineComments: ['#'], blockComments: [['\n=begin', '\n=end']], strings: [doubleQuoted, singleQuoted] },
  definition: (line) => rubyDefinition(line),
  imports: (code, source) => requires(code, source),
  resolver: (project) => rubyResolver(project),
};

const KINDS = new Map([
  ['def', 'method'],
  ['class', 'class'],
  ['module', 'module'],
]);

/** `def self.name`, `class A::B < C`: the last name counts. */
function rubyDefinition(line: string): LineDefinition | undefined {
  const tokens = lineTokens(line, 12);
  const kind = KINDS.get(tokens[0] ?? '');
  if (kind === undefined) return undefined;
  let at = 1;
  while (tokens[at + 1] === '.' || tokens[at + 1] === ':') at += tokens[at + 1] === '.' ? 2 : 3;
  const name = tokens[at] ?? '';
  return isWordCode(name.charCodeAt(0)) ? { name, kind } : undefined;
}

const REQUIRES = new Set(['require', 'require_relative', 'load', 'autoload']);

/** The names say by which word they were required. */
function requires(code: string, source: string): ImportStatement[] {
  const found: ImportStatement[] = [];
  for (const { word, end } of wordsIn(code, REQUIRES)) {
    const rest = code.slice(end, end + 80).split('\n', 1)[0] as string;
    const quote = rest.search(/['"]/);
    const plain = quote >= 0 && /^[ (]{0,4}(?::\w{1,60},[ ]{0,4})?$/.test(rest.slice(0, quote));
    const quoted = plain ? quotedAt(code, source, end + quote) : undefined;
    if (quoted) found.push({ module: quoted.text, names: [word] });
  }
  return found;
}

function rubyResolver(project: Project): Resolve {
  const roots = [...new Set(project.files.map((file) => /^(?:.{0,300}\/)?lib\//.exec(file)?.[0] ?? ''))].sort(
    (a, b) => b.length - a.length,
  );
  return ({ module, names }, from) => {
    const name = module.endsWith('.rb') ? module : `${module}.rb`;
    const near = path.posix.join(path.posix.dirname(from), name);
    if (names[0] === 'require_relative' || module.startsWith('.')) return project.has(near) ? [near] : [];
    const places = [...roots.filter((root) => from.startsWith(root)), ...roots, ''];
    const root = places.find((place) => project.has(place + name));
    return root === undefined ? [] : [root + name];
  };
}
