import type { HiddenFragment } from '../domain/issue-snapshot.ts';

const MAX_FRAGMENTS = 100;
const PREVIEW = 160;

/** Collects what was dropped from one piece of an issue. `where` names the piece: "body", "comment 2". */
export class Disclosure {
  readonly fragments: HiddenFragment[] = [];
  private readonly where: string;
  private readonly allowed: ReadonlySet<string>;

  /** `allowed` are texts of the repository's own templates (as `sameText` gives them), which are dropped in silence. */
  constructor(where: string, allowed: ReadonlySet<string> = new Set()) {
    this.where = where;
    this.allowed = allowed;
  }

  add(kind: string, content: string, characters = content.length): void {
    if (content.trim() === '' || this.allowed.has(sameText(content))) return;
    if (this.fragments.length < MAX_FRAGMENTS) {
      this.fragments.push({ kind, where: this.where, characters, preview: previewOf(content) });
      return;
    }
    const last = this.fragments[MAX_FRAGMENTS - 1] as HiddenFragment;
    last.characters += characters;
    last.kind = 'many fragments';
  }
}

/** Texts that differ only in white space are the same. */
export function sameText(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** One line without anything that is invisible, breaks out of a code span, or mentions somebody. */
function previewOf(content: string): string {
  const shortened = sameText(content.slice(0, 4 * PREVIEW));
  let preview = '';
  for (const char of shortened) {
    if (preview.length >= PREVIEW) return `${preview}…`;
    preview += isPlain(char) ? char : `\\u{${(char.codePointAt(0) as number).toString(16)}}`;
  }
  return content.length > 4 * PREVIEW ? `${preview}…` : preview;
}

const isPlain = (char: string): boolean =>
  !/[`@\p{C}\p{Z}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]/u.test(char) || char === ' ';
