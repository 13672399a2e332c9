import type { BlockContent, DefinitionContent, PhrasingContent, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { operatorsAsText } from './operators-as-text.ts';
import { oneLine, plainText } from './plain-text.ts';
import { safePhrasing } from './safe-phrasing.ts';

const MOST_CHARACTERS = 8_000;
const MOST_DEPTH = 6;
const MOST_DELIMITERS = 800;
/** Fences that GitHub does not show as code but draws, calculates or offers to commit. */
const DRAWN = new Set(['mermaid', 'geojson', 'topojson', 'stl', 'math', 'suggestion']);

type Block = BlockContent | DefinitionContent;

/**
 * Markdown that a model or a repository wrote, as blocks that can stand in a comment: paragraphs, lists, quotes, code and
 * tables stay; headings become bold; HTML becomes the text it was written as; links and images become their words.
 * `limit` is in characters of the source.
 */
export function safeBlocks(text: string, limit = MOST_CHARACTERS): Block[] {
  const bounded = plainText(text, Math.min(limit, MOST_CHARACTERS)).trim();
  if (bounded === '') return [];
  if (isCostly(bounded)) return [{ type: 'code', value: bounded }];
  return parse(bounded).children.flatMap((node) => safeBlock(node, 0));
}

/** The same for a place that holds one line: a table cell, the answer at the top. */
export function safeInline(text: string, limit: number): PhrasingContent[] {
  const bounded = oneLine(text, Math.min(limit, MOST_CHARACTERS));
  if (bounded === '') return [];
  if (isCostly(bounded)) return [{ type: 'inlineCode', value: bounded }];
  return safePhrasing(parse(bounded).children);
}

function parse(text: string): Root {
  const tree = fromMarkdown(text, {
    extensions: [gfmTable(), gfmStrikethrough()],
    mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown()],
  });
  return operatorsAsText(tree, text);
}

/** Deep nesting overflows the parser's stack, and very many delimiters take it quadratic time: such text is shown raw. */
function isCostly(text: string): boolean {
  const delimiters = text.match(/(?<!\w)[*_~]|[*_~](?!\w)/g)?.length ?? 0;
  if (delimiters > MOST_DELIMITERS) return true;
  return text.split('\n').some((line) => (/^[\s>*+\-\d.)]*/.exec(line)?.[0].replace(/[\s\d]/g, '').length ?? 0) > 40);
}

function safeBlock(node: RootContent, depth: number): Block[] {
  switch (node.type) {
    case 'paragraph':
      return paragraph(safePhrasing(node.children));
    case 'heading':
      return paragraph([{ type: 'strong', children: safePhrasing(node.children) }]);
    case 'html':
      return paragraph(safePhrasing([node]));
    case 'code':
      return [{ type: 'code', lang: safeLanguage(node.lang), value: node.value }];
    case 'blockquote':
      return depth < MOST_DEPTH ? [{ type: 'blockquote', children: inside(node.children, depth) }] : flat(node);
    case 'list':
      return depth < MOST_DEPTH ? [safeList(node, depth)] : flat(node);
    case 'table':
      return [safeTable(node)];
    case 'thematicBreak':
    case 'definition':
      return [];
    default:
      return flat(node);
  }
}

const inside = (nodes: RootContent[], depth: number): Block[] => nodes.flatMap((node) => safeBlock(node, depth + 1));
const flat = (node: RootContent): Block[] => paragraph(safePhrasing([node]));
const paragraph = (children: PhrasingContent[]): Block[] =>
  children.length === 0 ? [] : [{ type: 'paragraph', children }];

function safeLanguage(lang: string | null | undefined): string | null {
  return lang && /^[\w+#.-]{1,20}$/.test(lang) && !DRAWN.has(lang.toLowerCase()) ? lang : null;
}

function safeList(node: Extract<RootContent, { type: 'list' }>, depth: number): Block {
  return {
    type: 'list',
    ordered: node.ordered ?? false,
    start: node.start ?? null,
    spread: false,
    children: node.children.map((item) => ({
      type: 'listItem',
      spread: false,
      children: inside(item.children, depth),
    })),
  };
}

function safeTable(node: Extract<RootContent, { type: 'table' }>): Block {
  return {
    type: 'table',
    children: node.children.slice(0, 40).map((row) => ({
      type: 'tableRow',
      children: row.children.slice(0, 12).map((cell) => ({ type: 'tableCell', children: safePhrasing(cell.children) })),
    })),
  };
}
