import { oneLine } from './plain-text.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The first `most` sentences of a text's first paragraph; never ends inside a code span, at most `limit` characters. */
export function sentences(text: string, most: number, limit: number): string {
  const start = text.slice(0, limit * 4).trimStart();
  const paragraph = oneLine(start.split(/\n\s*\n/, 1)[0] ?? '', limit * 4);
  // To a segmenter, a sentence that begins with code in lower case is no new one.
  const masked = paragraph.replaceAll(/`[^`]*`/g, (code) => 'X'.repeat(code.length));
  const ends = [...segmenter.segment(masked)].map(({ index, segment }) => index + segment.length);
  const whole = ends.filter((end) => closed(paragraph.slice(0, end)));
  return paragraph.slice(0, whole[most - 1] ?? paragraph.length).trim();
}

const closed = (text: string): boolean => (text.split('`').length - 1) % 2 === 0;
