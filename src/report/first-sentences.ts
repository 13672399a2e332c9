import { oneLine } from './plain-text.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The first `most` sentences of a text's first paragraph; never ends inside a code span, at most `limit` characters. */
export function sentences(text: string, most: number, limit: number): string {
  const start = text.slice(0, limit * 4).trimStart();
  const paragraph = oneLine(start.split(/\n\s*\n/, 1)[0] ?? '', limit * 4);
  // To a segmenter, a sentence that begins with code in lower case is no new one.
  const masked = paragraph.replaceAll(/`[^`]*`/g, (code) => 'X'.repeat(code.length));
  const ends = [...segmenter.segment(masked)].map(({ index, segment }) => index + segment.length);
  const closed = ends.filter((end) => inNoCode(paragraph.slice(0, end)) && !abbreviated.test(masked.slice(0, end)));
  const outside = closed.filter((end) => inNoParentheses(masked.slice(0, end)));
  const whole = outside.length > 0 ? outside : closed;
  return paragraph.slice(0, whole[most - 1] ?? paragraph.length).trim();
}

/** Abbreviations after which a capital or a digit begins no sentence. */
const abbreviated = /\b(?:e\.g|i\.e|incl|cf|vs|approx|resp|fig|no)\.\s*$/i;

const inNoCode = (text: string): boolean => (text.split('`').length - 1) % 2 === 0;
const inNoParentheses = (text: string): boolean => text.split('(').length === text.split(')').length;
