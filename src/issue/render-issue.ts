import type { HiddenFragment, IssueSnapshot, RenderedIssue } from '../domain/issue-snapshot.ts';
import { cutInTheMiddle } from './cut-text.ts';
import { Disclosure, sameText } from './disclosure.ts';
import { withoutHiddenCharacters } from './hidden-characters.ts';
import { markdownToHtml } from './markdown-to-html.ts';
import { visibleText } from './visible-text.ts';

/** GitHub allows 65,536 characters; more can only come from elsewhere. */
const MAX_SOURCE = 70_000;
/** Markdown of all comments that is read; beyond it the ones in the middle are left out. */
const MAX_COMMENTS = 400_000;
const MAX_TEXT = 60_000;
const MAX_TITLE = 1000;

/**
 * What a person would see of an issue: title, body, then the comments in their order under author and date, as plain
 * text. What nobody could see is dropped and listed in `hidden`; every part of it that equals a comment in one of the
 * repository's issue `templates` (their Markdown) is dropped without a word. At most 60,000 characters: a longer text
 * loses its middle, and says so.
 */
export function renderIssue(snapshot: IssueSnapshot, templates: readonly string[] = []): RenderedIssue {
  const allowed = textsHiddenIn(templates);
  const hidden: HiddenFragment[] = [];
  const heading = new Disclosure('title');
  const title = sameText(withoutHiddenCharacters(snapshot.title.slice(0, MAX_TITLE), heading));
  hidden.push(...heading.fragments);
  const parts = [title];
  const body = renderMarkdown(snapshot.body, 'body', allowed);
  if (body.text !== '') parts.push(body.text);
  hidden.push(...body.hidden);
  for (const piece of commentPieces(snapshot, allowed)) {
    parts.push(piece.text);
    hidden.push(...piece.hidden);
  }
  return { title, text: cutInTheMiddle(parts.join('\n\n'), MAX_TEXT), hidden };
}

interface Rendered {
  text: string;
  hidden: HiddenFragment[];
}

function renderMarkdown(markdown: string, where: string, allowed: ReadonlySet<string>): Rendered {
  const disclosure = new Disclosure(where, allowed);
  const source = markdown.slice(0, MAX_SOURCE).replace(/\r\n?/g, '\n');
  const text = visibleText(markdownToHtml(source, disclosure), disclosure).replace(
    /^--- Comment by /gm,
    '-- Comment by ',
  );
  const rest = markdown.length - MAX_SOURCE;
  const note = rest > 0 ? `\n\n[${rest} more characters were not read]` : '';
  return { text: text + note, hidden: disclosure.fragments };
}

/** Comments under their heads. A line of a text never looks like such a head. */
function* commentPieces(snapshot: IssueSnapshot, allowed: ReadonlySet<string>): Generator<Rendered> {
  const kept = commentsWithin(snapshot.comments.map((comment) => comment.body.length));
  let gap = false;
  for (const [index, { author, createdAt, body }] of snapshot.comments.entries()) {
    if (!kept.has(index)) {
      if (!gap) yield { text: `[${snapshot.comments.length - kept.size} comments left out here]`, hidden: [] };
      gap = true;
      continue;
    }
    const where = `comment ${index + 1}`;
    const heading = new Disclosure(where);
    const name = sameText(withoutHiddenCharacters(author.slice(0, 100), heading));
    const { text, hidden } = renderMarkdown(body, where, allowed);
    yield { text: `--- Comment by ${name} at ${createdAt} ---\n\n${text}`, hidden: [...heading.fragments, ...hidden] };
  }
}

/** The first and the last comments, as many as can be read. */
function commentsWithin(lengths: number[]): Set<number> {
  const kept = new Set<number>();
  let left = MAX_COMMENTS;
  let first = 0;
  let last = lengths.length - 1;
  while (first <= last) {
    // Two from the end for one from the start: the latest words usually matter more.
    const index = kept.size % 3 === 0 ? first++ : last--;
    left -= Math.min(lengths[index] as number, MAX_SOURCE) + 200;
    if (left < 0) break;
    kept.add(index);
  }
  return kept;
}

function textsHiddenIn(templates: readonly string[]): Set<string> {
  const disclosure = new TemplateTexts();
  for (const template of templates.slice(0, 50))
    visibleText(markdownToHtml(template.slice(0, MAX_SOURCE), disclosure), disclosure);
  return disclosure.texts;
}

/** Remembers whole texts instead of reporting them. */
class TemplateTexts extends Disclosure {
  readonly texts = new Set<string>();

  constructor() {
    super('template');
  }

  override add(_kind: string, content: string): void {
    this.texts.add(sameText(content));
  }
}
