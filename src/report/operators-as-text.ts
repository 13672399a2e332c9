import type { PhrasingContent, Root, RootContent } from 'mdast';

const attention = new Set(['strong', 'emphasis', 'delete']);

/**
 * Takes for text what Markdown takes for emphasis that begins inside a word: in `pi**exp(-1) and x**(1/n)` nobody wrote
 * bold, two powers did. `tree` is changed; `source` is what it was parsed from.
 */
export function operatorsAsText(tree: Root, source: string): Root {
  replaceIn(tree, source);
  return tree;
}

function replaceIn(node: Root | RootContent, source: string): void {
  if (!('children' in node)) return;
  for (const child of node.children) replaceIn(child, source);
  const children = node.children as RootContent[];
  node.children = children.flatMap((child) => asWritten(child, source)) as typeof node.children;
}

function asWritten(node: RootContent, source: string): RootContent[] {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? 0;
  if (!attention.has(node.type) || !/[\w)\]]/.test(source[start - 1] ?? ' ')) return [node];
  const inner = (node as Extract<PhrasingContent, { type: 'strong' }>).children;
  const first = inner[0]?.position?.start.offset ?? start;
  const last = inner.at(-1)?.position?.end.offset ?? end;
  return [text(source.slice(start, first)), ...inner, text(source.slice(last, end))];
}

const text = (value: string): RootContent => ({ type: 'text', value });
