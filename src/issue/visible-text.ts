import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import type { Disclosure } from './disclosure.ts';
import { beginElement, endElement, isKnown, type Layout } from './element-layout.ts';
import { withoutHiddenCharacters } from './hidden-characters.ts';
import { TextWriter } from './text-writer.ts';
import { reportAttributes, unseenBecause } from './visibility.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Smaller than this many levels of <sub> and <sup> nobody can read. */
const SMALLEST = 5;
const MAX_PLAIN_TAGS = 40;

/** The text that a reader sees of HTML, in Markdown's plain look; what they do not see goes to `disclosure`. */
export function visibleText(html: string, disclosure: Disclosure): string {
  const walk = new Walk(disclosure);
  walk.run(parseFragment(html));
  return walk.layout.writer.text();
}

/** Visits the tree with a stack of its own: hostile nesting must not become recursion. */
class Walk {
  readonly layout: Layout = { writer: new TextWriter(), lists: [], pre: undefined, small: 0 };
  private readonly disclosure: Disclosure;
  private readonly unknownTags: string[] = [];

  constructor(disclosure: Disclosure) {
    this.disclosure = disclosure;
  }

  run(root: Node): void {
    const stack: { node: Node; leaving: boolean }[] = [{ node: root, leaving: false }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { node, leaving } = next;
      if (leaving) endElement(node as Element, this.layout);
      else if (this.enter(node)) {
        if ('tagName' in node) stack.push({ node, leaving: true });
        const children = 'childNodes' in node ? node.childNodes : [];
        for (let at = children.length - 1; at >= 0; at--) stack.push({ node: children[at] as Node, leaving: false });
      }
    }
    // A few bare tags are generics and placeholders that lost their backticks; many may spell something.
    if (this.unknownTags.length > MAX_PLAIN_TAGS) this.disclosure.add('unknown tags', this.unknownTags.join(' '));
  }

  /** Whether the children are to be visited. */
  private enter(node: Node): boolean {
    if (node.nodeName === '#comment') {
      this.disclosure.add('HTML comment', (node as DefaultTreeAdapterTypes.CommentNode).data);
      return false;
    }
    if (node.nodeName === '#text') {
      this.text((node as DefaultTreeAdapterTypes.TextNode).value);
      return false;
    }
    return 'tagName' in node ? this.element(node) : true;
  }

  private element(element: Element): boolean {
    const why = unseenBecause(element) ?? this.emptyLink(element);
    if (why !== undefined) {
      this.disclosure.add(why, allText(element));
      return false;
    }
    const known = isKnown(element.tagName);
    reportAttributes(element, known, this.disclosure);
    if (!known && element.attrs.length === 0) this.unknownTags.push(element.tagName);
    beginElement(element, this.layout);
    return true;
  }

  /** A link around nothing shows nothing. */
  private emptyLink(element: Element): string | undefined {
    if (element.tagName !== 'a' || element.childNodes.length > 0) return undefined;
    const href = element.attrs.find(({ name }) => name === 'href')?.value ?? '';
    if (href !== '') this.disclosure.add('link around nothing', href);
    return undefined;
  }

  private text(value: string): void {
    const { layout } = this;
    if (layout.small > SMALLEST) {
      this.disclosure.add('text too small to read', value);
      return;
    }
    const seen = withoutHiddenCharacters(value, this.disclosure);
    if (layout.pre !== undefined) {
      layout.pre += seen;
      return;
    }
    const flowing = seen.replace(/[ \t\r\n\f]+/g, ' ');
    const mathless = this.withoutHiddenMath(flowing);
    layout.writer.write(layout.writer.atLineStart ? mathless.trimStart() : mathless);
  }

  /** GitHub typesets `$…$`, where TeX can make text invisible. */
  private withoutHiddenMath(text: string): string {
    if (!text.includes('$') || !/\\(?:[hv]?phantom|color|textcolor)/.test(text)) return text;
    const parts = text.split('$');
    for (let at = 1; at < parts.length - 1; at++) {
      if (!/\\(?:[hv]?phantom|(?:text)?color\s*\{\s*(?:white|transparent))/.test(parts[at] as string)) continue;
      this.disclosure.add('invisible formula', parts[at] as string);
      parts[at] = '';
    }
    return parts.join('$');
  }
}

/** Every piece of text below an element, seen or not. */
function allText(element: Element): string {
  const found: string[] = [];
  const stack: Node[] = [element];
  for (let node = stack.pop(); node; node = stack.pop()) {
    found.push(...ownTexts(node));
    if ('content' in node) stack.push(node.content as Node);
    if ('childNodes' in node)
      for (let at = node.childNodes.length - 1; at >= 0; at--) stack.push(node.childNodes[at] as Node);
  }
  return found.join(' ');
}

function ownTexts(node: Node): string[] {
  if (node.nodeName === '#text') return [(node as DefaultTreeAdapterTypes.TextNode).value];
  if (node.nodeName === '#comment') return [(node as DefaultTreeAdapterTypes.CommentNode).data];
  const attributes = 'attrs' in node ? node.attrs : [];
  return attributes.filter(({ name }) => name === 'alt' || name === 'title').map(({ value }) => value);
}
