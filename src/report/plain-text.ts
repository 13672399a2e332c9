import { stripVTControlCharacters } from 'node:util';
import { withNamedInvisibles } from './invisible-characters.ts';

const CONTROLS = /[^\P{Cc}\t\n]/gu;

/**
 * Text that can be shown as it is read: terminal sequences and control characters are gone, and characters that reorder
 * or hide their neighbours, or are not seen at all, stand as `⟨U+202E⟩`.
 * At most `limit` characters; what was cut is marked by an ellipsis.
 */
export function plainText(text: string, limit: number): string {
  const bounded = text.slice(0, limit * 2).toWellFormed();
  const lines = stripVTControlCharacters(bounded).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  return clip(withNamedInvisibles(lines.replace(CONTROLS, '')), limit, text.length > limit * 2);
}

/** `plainText` on one line: every run of white space is one space. */
export function oneLine(text: string, limit: number): string {
  return clip(
    plainText(text, limit * 2)
      .replace(/\s+/g, ' ')
      .trim(),
    limit,
  );
}

/** The end of a text, whole lines, at most `limit` characters: where a test run says what went wrong. */
export function lastLines(text: string, limit: number): string {
  const shown = plainText(text.slice(-limit * 2), limit * 2).trimEnd();
  if (shown.length <= limit && text.length <= limit * 2) return shown;
  const tail = shown.slice(-limit);
  return `…\n${tail.slice(tail.indexOf('\n') + 1)}`;
}

/** At most `limit` characters, cut between words, and not inside a code span. */
function clip(text: string, limit: number, more = false): string {
  if (text.length <= limit && !more) return text;
  const cut = text.slice(0, Math.max(limit - 2, 0)).toWellFormed();
  const space = cut.lastIndexOf(' ');
  const words = space > limit * 0.6 ? cut.slice(0, space) : cut;
  return `${closedSpans(words).trimEnd()} …`;
}

function closedSpans(text: string): string {
  const ticks = text.split('`').length - 1;
  return ticks % 2 === 0 ? text : text.slice(0, text.lastIndexOf('`'));
}
