import MarkdownIt, { type Env, type Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import type { Disclosure } from './disclosure.ts';

const MAX_NESTING = 80;

/**
 * GitHub-flavoured Markdown as unsafe HTML, to be parsed and never shown. What Markdown itself hides goes to
 * `disclosure`: reference definitions that nothing refers to, footnotes without a mark, words after a code fence.
 */
export function markdownToHtml(markdown: string, disclosure: Disclosure): string {
  const parser = new MarkdownIt({ html: true, breaks: true, maxNesting: MAX_NESTING });
  parser.use(footnotes);
  // GitHub has no footnotes inside a line.
  parser.inline.ruler.disable('footnote_inline');
  parser.core.ruler.before('strip_references', 'unused_definitions', (state) => {
    definitions.push(...state.tokens.filter((token) => token.type === 'reference_definition'));
  });
  parser.core.ruler.before('footnote_tail', 'unused_footnotes', (state) =>
    reportFootnotes(state.tokens, state.env, disclosure),
  );
  parser.core.ruler.before('inline', 'follow_references', () => {
    references.following = true;
  });
  const definitions: Token[] = [];
  const references = new References();
  const env: Env = { references: references.table as NonNullable<Env['references']> };
  const tokens = parser.parse(markdown, env);
  reportDefinitions(markdown, definitions, references.used, disclosure);
  prepare(tokens, disclosure);
  return parser.renderer.render(tokens, parser.options, env);
}

/** The parser's table of references, which remembers what was looked up after all were defined. */
class References {
  readonly used = new Set<string>();
  following = false;
  readonly table: Record<string, unknown>;

  constructor() {
    this.table = new Proxy(Object.create(null) as Record<string, unknown>, {
      get: (table, label) => {
        const found = typeof label === 'string' ? table[label] : undefined;
        if (this.following && found !== undefined) this.used.add(label as string);
        return found;
      },
    });
  }
}

/** Definitions that no link uses, such as `[//]: # (text)`, and repeated ones, are seen by nobody. */
function reportDefinitions(
  markdown: string,
  definitions: Token[],
  used: ReadonlySet<string>,
  disclosure: Disclosure,
): void {
  const lines = markdown.split('\n');
  const first = new Set<string>();
  for (const { meta, map } of definitions) {
    const label = String(meta?.['label']);
    const isUsed = used.has(label) && !first.has(label);
    first.add(label);
    if (!isUsed && map) disclosure.add('unused reference', lines.slice(map[0], map[1]).join('\n'));
  }
}

function reportFootnotes(tokens: Token[], env: Env | undefined, disclosure: Disclosure): void {
  const refs = (env?.['footnotes'] as { refs?: Record<string, number> } | undefined)?.refs;
  if (!refs) return;
  let label: string | undefined;
  for (const token of tokens) {
    if (token.type === 'footnote_reference_open') label = String(token.meta?.['label']);
    else if (token.type === 'footnote_reference_close') label = undefined;
    else if (label !== undefined && (refs[`:${label}`] ?? -1) < 0) disclosure.add('unused footnote', token.content);
  }
}

function prepare(tokens: Token[], disclosure: Disclosure): void {
  let deepest = 0;
  for (const token of tokens) {
    deepest = Math.max(deepest, token.level);
    if (token.type === 'fence') prepareFence(token, disclosure);
    if (token.type === 'html_block') token.content = asText(token.content);
    for (const child of token.children ?? []) if (child.type === 'html_inline') child.content = asText(child.content);
  }
  if (deepest >= MAX_NESTING - 1) disclosure.add('nested too deeply', 'lists or quotations inside one another', 0);
}

/** Only the first word after a fence has an effect; Mermaid draws no comments. */
function prepareFence(token: Token, disclosure: Disclosure): void {
  const [language = '', ...rest] = token.info.trim().split(/\s+/);
  if (rest.length > 0) disclosure.add('words after a code fence', rest.join(' '));
  token.info = language.slice(0, 40);
  if (language.length > 40) disclosure.add('words after a code fence', language);
  if (language.toLowerCase() !== 'mermaid') return;
  const lines = token.content.split('\n');
  const comments = lines.filter((line) => line.trimStart().startsWith('%%'));
  if (comments.length > 0) disclosure.add('comment in a diagram', comments.join('\n'));
  token.content = lines.filter((line) => !line.trimStart().startsWith('%%')).join('\n');
}

/** Tags that GitHub shows as text (GitHub Flavored Markdown, "Disallowed Raw HTML"). */
function asText(html: string): string {
  return html.replace(
    /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[\s/>]|$))/gi,
    '&lt;',
  );
}
