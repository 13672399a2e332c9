import type { CheckedCitation, Citation, DependencyCitation } from '../domain/citation.ts';
import { counted } from './amounts.ts';
import type { Block } from './compose.ts';
import { type LinkTo, nameOf, place } from './places.ts';
import { lastLines } from './plain-text.ts';
import { safeInline } from './safe-markdown.ts';
import { bullets, code, fence, type Inline, inline, paragraph, strong } from './write-markdown.ts';

const MOST_CITATIONS = 40;

/** "4 of 5 citations checked": confirmed or corrected, of all that were given. */
export function citationCount(checked: CheckedCitation[]): string {
  if (checked.length === 0) return 'no citations';
  const good = checked.filter((one) => one.verdict === 'confirmed' || one.verdict === 'corrected').length;
  return `${good} of ${counted(checked.length, 'citation')} checked`;
}

/** What an answer rests on. Only what the audit confirmed or corrected is linked; the rest is named for what it is. */
export function citationBlocks(checked: CheckedCitation[], linkTo: LinkTo): Block[] {
  const kept = checked.filter((one) => one.verdict !== 'struck').slice(0, MOST_CITATIONS);
  const struck = checked.filter((one) => one.verdict === 'struck');
  const observed = kept.flatMap(({ citation }) => (citation.kind === 'observation' ? [citation] : []));
  return [
    ...(kept.length > 0 ? [paragraph(strong('Rests on')), bullets(kept.map((one) => citationItem(one, linkTo)))] : []),
    ...observed
      .slice(0, 5)
      .map(({ command, output }) => fence(`$ ${lastLines(command, 300)}\n${lastLines(output, 1_200)}`)),
    ...(struck.length > 0 ? [paragraph(...struckLine(struck))] : []),
  ];
}

function citationItem({ citation, verdict, note }: CheckedCitation, linkTo: LinkTo): Inline[] {
  const held = verdict === 'confirmed' || verdict === 'corrected';
  const said = note ? inline(': ', safeInline(note, 200)) : '';
  return [
    ...cited(citation, held ? linkTo : () => undefined),
    held && verdict === 'confirmed' ? '' : ` (${verdict})`,
    said,
  ];
}

function cited(citation: Citation, linkTo: LinkTo): Inline[] {
  switch (citation.kind) {
    case 'repository':
      return [...place(citation, linkTo), ...(citation.symbol ? [' ', code(citation.symbol, 80)] : [])];
    case 'dependency':
      return [
        'installed package ',
        code(`${citation.package} ${citation.version ?? ''}`.trim(), 100),
        ...inPath(citation),
        ...(citation.symbol ? [' ', code(citation.symbol, 80)] : []),
      ];
    case 'observation':
      return ['output of ', code(citation.command, 120)];
    case 'standard':
      return ['standard ', safeInline(citation.name, 120)];
  }
}

function inPath({ path, startLine, endLine }: DependencyCitation): Inline[] {
  if (!path) return [];
  const span = startLine === undefined ? path : nameOf({ path, startLine, endLine: endLine ?? startLine });
  return [' in ', code(span, 160)];
}

function struckLine(struck: CheckedCitation[]): Inline[] {
  const names = struck
    .slice(0, 5)
    .flatMap(({ citation, note }, index): Inline[] => [
      index === 0 ? ' ' : ', ',
      citation.kind === 'repository' ? code(nameOf(citation), 160) : inline(...cited(citation, () => undefined)),
      note ? inline(' (', safeInline(note, 160), ')') : '',
    ]);
  return [
    strong(`${counted(struck.length, 'citation')} did not hold and ${struck.length === 1 ? 'was' : 'were'} struck:`),
    ...names,
  ];
}
