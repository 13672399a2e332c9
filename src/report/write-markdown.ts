import type { PhrasingContent, RootContent, TableCell } from 'mdast';
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { type Options, toMarkdown } from 'mdast-util-to-markdown';
import { oneLine } from './plain-text.ts';
import { isRisky } from './risky-words.ts';

/** Markdown of blocks; everything is escaped for its place by the library, tables and longer fences included. */
export function write(...nodes: RootContent[]): string {
  return toMarkdown(
    { type: 'root', children: nodes },
    {
      bullet: '-',
      emphasis: '_',
      fences: true,
      listItemIndent: 'one',
      resourceLink: true,
      rule: '-',
      extensions: [gfmTableToMarkdown({ tablePipeAlign: false }), gfmStrikethroughToMarkdown(), NO_AUTOLINK],
    },
  ).trimEnd();
}

/** Left alone before a code span, `<` and the span's words can be an e-mail address between angle brackets: a link. */
const NO_AUTOLINK: Options = { unsafe: [{ character: '<', inConstruct: 'phrasing' }] };

/** Our own words as they are; anything that is not ours is a node. */
export type Inline = string | PhrasingContent | PhrasingContent[];

export const inline = (...parts: Inline[]): PhrasingContent[] =>
  parts.flatMap((part) => (typeof part === 'string' ? { type: 'text', value: part } : part));
export const paragraph = (...parts: Inline[]): string => write({ type: 'paragraph', children: inline(...parts) });
export const strong = (...parts: Inline[]): PhrasingContent => ({ type: 'strong', children: inline(...parts) });
export const code = (value: string, limit = 200): PhrasingContent => ({
  type: 'inlineCode',
  value: oneLine(value, limit) || ' ',
});
export const link = (url: string, ...parts: Inline[]): PhrasingContent => ({
  type: 'link',
  url,
  children: inline(...parts),
});
/** Only for HTML that is written here. */
export const html = (value: string): PhrasingContent => ({ type: 'html', value });
export const small = (...parts: Inline[]): string => paragraph(html('<sub>'), ...parts, html('</sub>'));
export const heading = (depth: 2 | 3 | 4, ...parts: Inline[]): string =>
  write({ type: 'heading', depth, children: inline(...parts) });
export const fence = (value: string, lang?: string): string => write({ type: 'code', lang: lang ?? null, value });

export function bullets(items: Inline[][]): string {
  return write({
    type: 'list',
    ordered: false,
    spread: false,
    children: items.map((item) => ({
      type: 'listItem',
      spread: false,
      children: [{ type: 'paragraph', children: inline(...item) }],
    })),
  });
}

export function table(header: string[], rows: Inline[][]): string {
  const cells = (row: Inline[]): TableCell[] => row.map((part) => ({ type: 'tableCell', children: inline(part) }));
  return write({
    type: 'table',
    children: [header, ...rows].map((row) => ({ type: 'tableRow', children: cells(row) })),
  });
}

/** Inline content as HTML, for the one place where GitHub reads no Markdown: a `<summary>`. */
export function asHtml(nodes: PhrasingContent[]): string {
  return nodes.map(nodeAsHtml).join('');
}

function nodeAsHtml(node: PhrasingContent): string {
  switch (node.type) {
    case 'text':
      return isRisky(node.value) ? node.value.split(/(\s+)/).map(wordAsHtml).join('') : escaped(node.value);
    case 'inlineCode':
      return `<code>${escaped(node.value)}</code>`;
    case 'strong':
      return `<b>${asHtml(node.children)}</b>`;
    case 'emphasis':
      return `<i>${asHtml(node.children)}</i>`;
    default:
      return 'children' in node ? asHtml(node.children as PhrasingContent[]) : '';
  }
}

const wordAsHtml = (word: string): string => (isRisky(word) ? `<code>${escaped(word)}</code>` : escaped(word));
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
