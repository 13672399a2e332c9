import type { List, Nodes, PhrasingContent, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { plainText } from '../../../src/report/plain-text.ts';
import { type Screen, wrapped } from './screen.ts';
import { tableLines } from './table.ts';

/** The blocks of what Fathom posts: GitHub's Markdown with folds. */
export function blocksOf(markdown: string): RootContent[] {
  return fromMarkdown(plainText(markdown, 200_000), {
    extensions: [gfmTable(), gfmStrikethrough()],
    mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown()],
  }).children;
}

/** Blocks as lines for a terminal. What is folded on GitHub is folded here: its summary alone is shown. */
export function markdownLines(screen: Screen, blocks: RootContent[]): string[] {
  const lines: string[] = [];
  let depth = 0;
  let before: 'fold' | 'block' | undefined;
  for (const block of blocks) {
    const opens = block.type === 'html' ? block.value.split('<details').length - 1 : 0;
    const closes = block.type === 'html' ? block.value.split('</details').length - 1 : 0;
    const shown = depth === 0 ? blockLines(screen, block) : [];
    depth = Math.max(depth + opens - closes, 0);
    if (shown.length === 0) continue;
    const kind = block.type === 'html' ? 'fold' : 'block';
    if (before !== undefined && !(before === 'fold' && kind === 'fold')) lines.push('');
    lines.push(...shown);
    before = kind;
  }
  return lines;
}

function blockLines(screen: Screen, block: RootContent): string[] {
  switch (block.type) {
    case 'heading':
      return wrapped(textOf(block), screen.width).map((line) => screen.style('bold', line));
    case 'paragraph':
      return paragraphLines(screen, block.children);
    case 'list':
      return listLines(screen, block);
    case 'table':
      return tableOf(screen, block);
    case 'code':
      return block.value.split('\n').map((line) => screen.style('dim', `│ ${line}`));
    case 'html':
      return foldLines(screen, block.value);
    case 'blockquote':
      return block.children.flatMap((child) => blockLines(screen, child)).map((line) => `│ ${line}`);
    default:
      return [];
  }
}

/** Strong words at the start, which all of Fathom's labels are, stay strong; a line of small print is quiet. */
function paragraphLines(screen: Screen, children: PhrasingContent[]): string[] {
  const text = children.map(textOf).join('');
  const lines = wrapped(text, screen.width);
  const [first] = children;
  if (first?.type === 'html' || /^https?:\S+$/.test(text)) return lines.map((line) => screen.style('dim', line));
  if (first?.type !== 'strong') return lines;
  const label = textOf(first);
  if (!lines[0]?.startsWith(label))
    return lines.map((line) => (children.length === 1 ? screen.style('bold', line) : line));
  return [screen.style('bold', label) + lines[0].slice(label.length), ...lines.slice(1)];
}

function listLines(screen: Screen, list: List): string[] {
  return list.children.flatMap((item, at) => {
    const mark = list.ordered === true ? `${(list.start ?? 1) + at}.` : '•';
    const lines = wrapped(textOf(item), screen.width - 4);
    return lines.map((line, number) => (number === 0 ? `${mark} ${line}` : `${' '.repeat(mark.length)} ${line}`));
  });
}

function tableOf(screen: Screen, { children }: Table): string[] {
  const [head, ...rows] = children.map((row) => row.children.map(textOf));
  return tableLines(
    screen,
    (head ?? []).map((title) => ({ title })),
    rows,
  );
}

function foldLines(screen: Screen, html: string): string[] {
  const summary = html.split('<summary>')[1]?.split('</summary>')[0];
  if (summary === undefined) return [];
  const [first = '', ...more] = wrapped(withoutTags(summary), screen.width - 2);
  return [`${screen.style('cyan', '▸')} ${first}`, ...more.map((line) => `  ${line}`)];
}

function textOf(node: Nodes): string {
  if (node.type === 'text' || node.type === 'inlineCode' || node.type === 'code') return node.value;
  if (node.type === 'html') return withoutTags(node.value);
  if (node.type === 'break') return ' ';
  if ('children' in node) return node.children.map(textOf).join(node.type === 'listItem' ? ' ' : '');
  return '';
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

const withoutTags = (html: string): string =>
  html.replace(/<[^<>]*>/g, '').replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
