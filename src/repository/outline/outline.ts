import { languageOf } from '../languages/languages.ts';
import type { Definition, Outline } from '../repository.ts';
import { shownPath, type TextFile, unreadableBecause } from '../text-file.ts';
import { scanDefinitions } from './scan-definitions.ts';
import type { SyntaxTrees } from './syntax-trees.ts';
import { treeDefinitions } from './tree-definitions.ts';

const MAX_PARSED = 1024 * 1024;
const SHOWN = 300;

/** Definitions by tree-sitter; by the scanner where the file is larger than `maxParsed` bytes or has no grammar. */
export async function definitionsOf(
  path: string,
  file: TextFile,
  trees: SyntaxTrees,
  maxParsed = MAX_PARSED,
): Promise<{ definitions: Definition[]; by: Outline['by'] }> {
  const language = languageOf(path);
  if (!language || file.kind !== 'text') return { definitions: [], by: 'none' };
  if (language.grammar && file.size <= maxParsed) {
    const definitions = await trees.parse(file.text, language.grammar, treeDefinitions);
    if (definitions) return { definitions, by: 'tree-sitter' };
  }
  return { definitions: scanDefinitions(file.text, language), by: 'scanner' };
}

/** The outline of a file in words for a model. */
export async function outlineOf(path: string, file: TextFile, trees: SyntaxTrees): Promise<Outline> {
  const { definitions, by } = await definitionsOf(path, file, trees);
  const why = unreadableBecause(file);
  const lines = [
    `${shownPath(path)}: ${why ?? `${file.kind === 'text' ? file.lines.length : 0} lines, ${definitions.length} definitions`}`,
  ];
  for (const { name, kind, startLine, endLine, depth } of definitions.slice(0, SHOWN)) {
    lines.push(`${'  '.repeat(Math.min(depth, 10) + 1)}${kind} ${name} ${startLine}-${endLine}`);
  }
  if (definitions.length > SHOWN) lines.push(`  … +${definitions.length - SHOWN} more`);
  if (by === 'none' && !why) lines.push('No outline: the language of this file is not known.');
  return { text: lines.join('\n'), path, definitions: definitions.slice(0, 2000), by };
}
