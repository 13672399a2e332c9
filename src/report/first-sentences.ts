import { oneLine } from './plain-text.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The first `most` sentences of a text's first paragraph; never ends inside a code span, at most `limit` characters. */
export function sentences(text: string, most: number, limit: number): string {
  const start = text.slice(0, limit * 4).trimStart();
  const paragraph = oneLine(start.split(/\n\s*\n/, 1)[0] ?? '', limit * 4);
  let taken = '';
  let count = 0;
  for (const { segment } of segmenter.segment(paragraph)) {
    if (count >= most && closed(taken)) break;
    taken += segment;
    if (closed(taken)) count++;
  }
  return taken.trim();
}

const closed = (text: string): boolean => (text.split('`').length - 1) % 2 === 0;
