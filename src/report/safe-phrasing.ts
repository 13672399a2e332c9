import type { Nodes, PhrasingContent } from 'mdast';
import { oneLine } from './plain-text.ts';
import { withoutRisks } from './risky-words.ts';

const MOST_DEPTH = 12;

/**
 * Inline content without HTML, links, images and risky words. Blocks are flattened to their words. Text that ends up side
 * by side is joined before it is looked at: `@[alice](x)` is a mention once the link is gone.
 */
export function safePhrasing(nodes: Nodes[]): PhrasingContent[] {
  return trimmed(joined(nodes.flatMap((node) => unwrapped(node, 0)))).flatMap(defuse);
}

/** The words alone. */
function wordsOf(nodes: PhrasingContent[]): string {
  return nodes
    .map((node) => ('children' in node ? wordsOf(node.children) : 'value' in node ? node.value : ' '))
    .join('');
}

function unwrapped(node: Nodes, depth: number): PhrasingContent[] {
  switch (node.type) {
    case 'text':
    case 'html':
      return [{ type: 'text', value: node.value.replaceAll('\n', ' ') }];
    case 'inlineCode':
    case 'code':
      return [{ type: 'inlineCode', value: oneLine(node.value, 300) }];
    case 'break':
      return [{ type: 'text', value: ' ' }];
    case 'image':
    case 'imageReference':
      return [{ type: 'text', value: `[image: ${node.alt || 'without words'}]` }];
    case 'link':
      return linkAsText(node, depth);
    case 'strong':
    case 'emphasis':
    case 'delete':
      return depth > MOST_DEPTH ? below(node, depth) : [{ type: node.type, children: below(node, depth) }];
    default:
      return 'children' in node ? [...below(node, depth), { type: 'text', value: ' ' }] : [];
  }
}

function below(node: { children: Nodes[] }, depth: number): PhrasingContent[] {
  return joined(node.children.flatMap((child) => unwrapped(child, depth + 1)));
}

function linkAsText(node: Extract<Nodes, { type: 'link' }>, depth: number): PhrasingContent[] {
  const words = below(node, depth);
  const shown = wordsOf(words);
  if (shown === node.url || node.url === `mailto:${shown}`) return words;
  return [
    ...words,
    { type: 'text', value: ' (' },
    { type: 'inlineCode', value: oneLine(node.url, 200) || '#' },
    { type: 'text', value: ')' },
  ];
}

function joined(nodes: PhrasingContent[]): PhrasingContent[] {
  const result: PhrasingContent[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (node.type === 'text' && last?.type === 'text') last.value += node.value;
    else if (!('value' in node) || node.value !== '') result.push(node.type === 'text' ? { ...node } : node);
  }
  return result;
}

function trimmed(nodes: PhrasingContent[]): PhrasingContent[] {
  const last = nodes.at(-1);
  return last?.type === 'text' ? joined([...nodes.slice(0, -1), { ...last, value: last.value.trimEnd() }]) : nodes;
}

function defuse(node: PhrasingContent): PhrasingContent[] {
  if (node.type === 'text') return withoutRisks(node.value);
  return 'children' in node ? [{ ...node, children: node.children.flatMap(defuse) } as PhrasingContent] : [node];
}
