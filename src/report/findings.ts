import type { AuditedFinding, CrossCheck, Diagnosis, Verification } from '../domain/diagnosis.ts';
import { counted } from './amounts.ts';
import type { Block, Fold } from './compose.ts';
import { sentences } from './first-sentences.ts';
import { type LinkTo, nameOf, place, places, placesInCell, standing } from './places.ts';
import { safeBlocks, safeInline } from './safe-markdown.ts';
import { bullets, code, html, type Inline, inline, paragraph, strong, table, write } from './write-markdown.ts';

const MOST_FINDINGS = 10;
/** GitHub shows the code of a permalink that stands alone in its own repository; a longer span would be a wall. */
const MOST_SHOWN_LINES = 25;
/** An address that stands as it is between two empty lines, without anything that Markdown could read as its own. */
const BARE = /^https?:\/\/(?!.*(?:\W_|_\W))[\w\-./:#?=&%+]+$/;

/** The answer: the first finding's cause in a sentence or two, where it is, and whether anybody checked it. */
export function leadOf(finding: AuditedFinding, diagnosis: Diagnosis, linkTo: LinkTo): Block[] {
  const cause = safeInline(sentences(finding.rootCause, 2, 420), 420);
  const first = standing(finding.checked)[0]?.location;
  const address = first && first.endLine - first.startLine < MOST_SHOWN_LINES ? linkTo(first) : undefined;
  const url = address !== undefined && BARE.test(address) ? address : undefined;
  const where = first && url === undefined ? [' In ', ...place(first, linkTo), '.'] : [];
  return [
    paragraph(strong('Most likely cause:'), ' ', cause, ...where),
    ...(url === undefined ? [] : [paragraph(html(url))]),
    paragraph({ type: 'emphasis', children: inline(verified(diagnosis.verification)) }),
  ];
}

/** One row for each finding, for whoever reads nothing else. */
export function findingsTable(findings: AuditedFinding[], linkTo: LinkTo): Block[] {
  if (findings.length === 0) return [];
  const rows = findings
    .slice(0, MOST_FINDINGS)
    .map((finding, index): Inline[] => [
      String(index + 1),
      inline(...placesInCell(finding.checked, linkTo, 3)),
      safeInline(sentences(finding.locationExplanation, 1, 260), 260),
      safeInline(sentences(finding.solutionIdea, 1, 260), 260),
    ]);
  const more = findings.length - rows.length;
  return [
    table(['#', 'Where', 'Why it matters', 'Proposed direction'], rows),
    ...(more > 0 ? [paragraph(`${counted(more, 'less likely finding')} not shown.`)] : []),
  ];
}

/** SHERLOC's five fields of each finding, folded. */
export function findingFolds({ findings, crossChecks = [] }: Diagnosis, linkTo: LinkTo): Fold[] {
  return findings.slice(0, MOST_FINDINGS).map((finding, index) => ({
    name: `finding ${index + 1}`,
    summary: inline(`Finding ${index + 1} in full · `, ...places(finding.checked, () => undefined, 1)),
    blocks: [
      ...field('Root cause', finding.rootCause),
      ...field('Why this place', finding.locationExplanation),
      ...field('Solution idea', finding.solutionIdea),
      ...field('Dependencies', finding.dependencies),
      ...field('Testing impact', finding.testingImpact),
      ...field('What would show this to be wrong', finding.falsifier ?? ''),
      ...locations(finding, linkTo),
      ...besideAnswers(crossChecks.filter((check) => check.finding === index + 1)),
    ],
  }));
}

function field(name: string, text: string): Block[] {
  const blocks = safeBlocks(text, 3_000);
  const [first, ...rest] = blocks;
  if (first === undefined) return [];
  if (first.type !== 'paragraph') return [paragraph(strong(name)), ...blocks.map((block) => write(block))];
  return [paragraph(strong(`${name}:`), ' ', first.children), ...rest.map((block) => write(block))];
}

function locations(finding: AuditedFinding, linkTo: LinkTo): Block[] {
  const held = standing(finding.checked);
  const struck = finding.checked.length - held.length;
  const items = held
    .slice(0, 20)
    .map(({ location, verdict, note }): Inline[] => [
      ...place(location, linkTo),
      verdict === 'corrected' ? ' (corrected)' : '',
      note ? inline(': ', safeInline(note, 200)) : '',
    ]);
  const gone = finding.checked.filter((one) => one.verdict === 'struck').slice(0, 5);
  return [
    ...(items.length > 0 ? [paragraph(strong('Places to change')), bullets(items)] : []),
    ...(struck > 0 ? [paragraph(`${counted(struck, 'place')} did not hold and is not linked: `, ...named(gone))] : []),
  ];
}

const named = (gone: AuditedFinding['checked']): Inline[] =>
  gone.flatMap(({ location, note }, index) => [
    index === 0 ? '' : ', ',
    code(nameOf(location), 160),
    note ? inline(' (', safeInline(note, 160), ')') : '',
  ]);

const RELATIONS: Record<CrossCheck['relation'], string> = {
  'same-lines': 'the same lines',
  'same-file': 'the same file',
  elsewhere: 'other files',
};

/** What the answers, found by agents that did not know of this finding, point at. */
function besideAnswers(checks: CrossCheck[]): Block[] {
  const parts = checks.slice(0, 5).map((check) => `${check.question} cites ${RELATIONS[check.relation]}`);
  return parts.length === 0 ? [] : [paragraph(strong('Independent answers:'), ` ${parts.join(', ')}.`)];
}

function verified(verification: Verification | undefined): string {
  if (verification === undefined) return 'Not verified: nothing but its citations was checked.';
  const { composite, rootCause, location, actionability, mode, agreement } = verification;
  const score = (value: number): string => value.toFixed(value % 1 === 0 ? 0 : 1);
  const parts = `root cause ${score(rootCause)}, location ${score(location)}, actionability ${score(actionability)}`;
  const traces = mode === 'full' && agreement ? `; agreement of independent attempts: ${agreement}` : '';
  const kind = mode === 'light' ? 'An uncalibrated rating' : 'A rating';
  return `A Verifier rated this ${score(composite)} of 5 (${parts}${traces}). ${kind} is a model’s opinion, not a proof.`;
}
