import markdownIt from 'markdown-it';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

/** What a reader's browser would make of a comment: parsed by another library than the one that wrote it. */
export interface Shown {
  tags: string[];
  links: string[];
  /** Text outside of code, where GitHub looks for mentions, references, links and emoji. */
  prose: string[];
  code: string[];
}

const parser = markdownIt({ html: true, linkify: true });
parser.linkify.set({ fuzzyLink: false });

export function asGithubShows(markdown: string): Shown {
  const shown: Shown = { tags: [], links: [], prose: [], code: [] };
  walk(parseFragment(parser.render(markdown)), shown, false);
  return shown;
}

function walk(node: DefaultTreeAdapterTypes.Node, shown: Shown, inCode: boolean): void {
  if (node.nodeName === '#text' && 'value' in node) (inCode ? shown.code : shown.prose).push(node.value);
  if (node.nodeName === '#comment') shown.tags.push('comment');
  if ('tagName' in node) {
    shown.tags.push(node.tagName);
    shown.links.push(
      ...node.attrs.filter(({ name }) => ['href', 'src', 'srcset'].includes(name)).map(({ value }) => value),
    );
  }
  const code = inCode || node.nodeName === 'code';
  if ('childNodes' in node) for (const child of node.childNodes) walk(child, shown, code);
}
