import type { Suspect } from '../domain/finding.ts';
import type { Block } from './compose.ts';
import { type LinkTo, place } from './places.ts';
import { safeInline } from './safe-markdown.ts';
import { code, type Inline, inline, paragraph, strong, table } from './write-markdown.ts';

const MOST_SUSPECTS = 10;

/** The lexical ranking, said to be just that. `alone` where nothing else was done. */
export function ranking(suspects: Suspect[], linkTo: LinkTo, alone: boolean): Block[] {
  if (suspects.length === 0) return [paragraph(strong('No file resembles the words of this issue.'))];
  const rows = suspects
    .slice(0, MOST_SUSPECTS)
    .map((suspect, index): Inline[] => [
      String(index + 1),
      inline(...where(suspect, linkTo)),
      inline(...between(suspect.reasons.slice(0, 4).map((reason) => safeInline(reason, 120)))),
    ]);
  return [
    paragraph(
      strong('A resemblance, not a diagnosis.'),
      ' These files share the most telling words with the issue; the fault may be elsewhere.',
      alone ? ' No model was asked.' : '',
    ),
    table(['#', 'Where', 'What resembles'], rows),
  ];
}

function where(suspect: Suspect, linkTo: LinkTo): Inline[] {
  const definitions = suspect.definitions.slice(0, 3);
  if (definitions.length === 0) return place({ path: suspect.path, startLine: 1, endLine: 1 }, linkTo, suspect.path);
  const linked = definitions.map(({ name, startLine, endLine }) =>
    inline(...place({ path: suspect.path, startLine, endLine }, linkTo), ' ', code(name, 80)),
  );
  return between(linked);
}

const between = (parts: Inline[]): Inline[] => parts.flatMap((part, index) => (index === 0 ? [part] : [', ', part]));
