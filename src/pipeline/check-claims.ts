import type { CheckedCitation } from '../domain/citation.ts';
import { placesIn } from './places-in-text.ts';

const MOST_CLAIMS = 6;
const SHOWN_CHARACTERS = 200;
const MOST_CHARACTERS = 40_000;

/**
 * Statements about code in an answer that none of its citations covers: a paragraph or list item that names something in
 * backticks, and neither a place nor anything that occurs in a citation or in the lines `citedText` that it points at.
 * By names alone: a covered statement may still be wrong, and an uncovered one right.
 */
export function uncitedClaims(text: string, checked: CheckedCitation[], citedText: string): string[] {
  const held = checked.filter(({ verdict }) => verdict !== 'struck');
  const known = new Set(namesIn([...held.map(wordsOf), citedText].join('\n')));
  const claims = blocksOf(text.slice(0, MOST_CHARACTERS)).filter((block) => {
    const names = codeIn(block).flatMap(namesIn);
    return names.length > 0 && placesIn(block).length === 0 && !names.some((name) => known.has(name));
  });
  return claims.slice(0, MOST_CLAIMS).map(shortened);
}

function wordsOf({ citation }: CheckedCitation): string {
  switch (citation.kind) {
    case 'repository':
      return `${citation.path} ${citation.symbol ?? ''}`;
    case 'dependency':
      return `${citation.package} ${citation.path ?? ''} ${citation.symbol ?? ''}`;
    case 'observation':
      return `${citation.command}\n${citation.output}`;
    case 'standard':
      return citation.name;
  }
}

/** Paragraphs and list items, without fenced code: that is shown, not said. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let open: string[] = [];
  let isFenced = false;
  const close = () => {
    if (open.length > 0) blocks.push(open.join(' '));
    open = [];
  };
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line.startsWith('```') || line.startsWith('~~~')) isFenced = !isFenced;
    else if (line === '' || line.startsWith('#')) close();
    else if (!isFenced) {
      if (/^(?:[-*+]|\d{1,3}[.)])\s/.test(line)) close();
      open.push(line);
    }
  }
  close();
  return blocks;
}

/** What stands between single backticks. */
const codeIn = (block: string): string[] => block.split('`').filter((_, index) => index % 2 === 1);

/** Names long enough to mean something, in the case in which they are written. */
const namesIn = (text: string): string[] => text.split(/[^\p{L}\p{N}_$]+/u).filter((name) => name.length >= 3);

const shortened = (text: string): string =>
  text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)} …`;
