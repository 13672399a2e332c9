import type { CheckedCitation, Citation, DependencyCitation } from '../domain/citation.ts';
import { counted } from './amounts.ts';
import type { Block } from './compose.ts';
import { type LinkTo, nameOf, place } from './places.ts';
import { lastLines } from './plain-text.ts';
import { safeInline } from './safe-markdown.ts';
import { bullets, code, fence, type Inline, inline, paragraph, strong } from './write-markdown.ts';

const MOST_CITATIONS = 40;
const MOST_OUTPUTS = 5;

/** "3 of 5 citations checked, 1 struck": confirmed or corrected, of all that were given; nothing here can check the rest. */
export function citationCount(checked: CheckedCitation[]): string {
  if (checked.length === 0) return 'no citations';
  const good = checked.filter((one) => one.verdict === 'confirmed' || one.verdict === 'corrected').length;
  const struck = checked.filter((one) => one.verdict === 'struck').length;
  return `${good} of ${counted(checked.length, 'citation')} checked${struck > 0 ? `, ${struck} struck` : ''}`;
}

/** What an answer rests on. Only what the audit confirmed or corrected is linked; the rest is named for what it is. */
export function citationBlocks(checked: CheckedCitation[], linkTo: LinkTo): Block[] {
  const kept = checked.filter((one) => one.verdict !== 'struck').slice(0, MOST_CITATIONS);
  const struck = checked.filter((one) => one.verdict === 'struck');
  const observed = kept.filter(({ citation }) => citation.kind === 'observation').slice(0, MOST_OUTPUTS);
  // A run that is shown with its output needs no line beside it, unless there is something to say of it.
  const listed = kept.filter((one) => one.note !== undefined || one.verdict !== 'confirmed' || !observed.includes(one));
  return [
    ...(kept.length > 0 ? [paragraph(strong('Rests on'))] : []),
    ...(listed.length > 0 ? [bullets(listed.map((one) => citationItem(one, linkTo)))] : []),
    ...observed.flatMap(({ citation }) => (citation.kind === 'observation' ? [runBlock(citation)] : [])),
    ...(struck.length > 0 ? [paragraph(...struckLine(struck))] : []),
  ];
}

const runBlock = ({ command, output }: { command: string; output: string }): string =>
  fence(`$ ${lastLines(command, 300)}\n${lastLines(output, 1_200)}`);

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
