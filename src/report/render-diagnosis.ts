import type { Diagnosis } from '../domain/diagnosis.ts';
import { doubtsIn } from '../domain/doubts.ts';
import type { RenderedIssue } from '../domain/issue-snapshot.ts';
import type { Receipt } from '../domain/receipt.ts';
import { type Block, compose } from './compose.ts';
import { findingFolds, findingsTable, leadOf } from './findings.ts';
import { hiddenFragments } from './hidden-fragments.ts';
import { knowledgeFolds } from './knowledge.ts';
import type { LinkTo } from './places.ts';
import { ranking } from './ranking.ts';
import { countsLine, receiptFold } from './receipt-lines.ts';
import { safeBlocks, safeInline } from './safe-markdown.ts';
import { bullets, code, heading, type Inline, link, paragraph, strong, write } from './write-markdown.ts';

/** What follows the diagnosis. */
type NextStep =
  | { kind: 'repairing' }
  | { kind: 'pull-request'; number: number; url?: string; draft: boolean }
  | { kind: 'no-pull-request'; reason: string };

export interface DiagnosisReport {
  diagnosis: Diagnosis;
  issue: RenderedIssue;
  receipt: Receipt;
  /** The permalink of lines at the base commit; without it, or where it gives nothing, places are named and not linked. */
  link?: LinkTo;
  next?: NextStep;
  /** Login of who asked; is shown and not notified. */
  asker?: string;
}

/**
 * The diagnosis as GitHub-flavoured Markdown of under 60,000 characters: the answer first, everything it rests on folded
 * below. Text of a model, an issue or a repository is escaped for its place: it pings nobody, links nowhere, loads
 * nothing and is no HTML.
 */
export function renderDiagnosis(report: DiagnosisReport): string {
  const { diagnosis, receipt, issue } = report;
  const link = report.link ?? (() => undefined);
  const body: Block[] = [
    headline(report),
    ...outcome(report.next),
    ...recordedLine(receipt),
    ...answer(diagnosis, receipt, link),
    ...findingsTable(diagnosis.findings, link),
    ...doubts(diagnosis),
    ...notes(diagnosis.notes),
    ...hiddenFragments(issue.hidden),
    ...findingFolds(diagnosis, link),
    ...knowledgeFolds(diagnosis.knowledge, link, report.asker !== undefined),
    ...rankingBelow(diagnosis, receipt, link),
  ];
  return compose(body, [
    ...(report.next?.kind === 'repairing' ? nextStep(report.next) : []),
    receiptFold(receipt),
    countsLine(receipt, diagnosis.knowledge.length),
  ]);
}

function headline({ diagnosis, receipt, asker }: DiagnosisReport): string {
  const title = isRanking(diagnosis, receipt) ? 'Files that resemble this issue' : 'Diagnosis';
  const by: Inline[] = asker ? [' · asked by ', code(`@${asker.replace(/^@/, '')}`)] : [];
  return heading(3, `${title} · at `, code(diagnosis.base.slice(0, 7)), ...by);
}

function recordedLine(receipt: Receipt): Block[] {
  if (!receipt.recorded) return [];
  return [paragraph(strong('Played back.'), ' A recorded model gave these replies; no model was asked in this run.')];
}

function answer(diagnosis: Diagnosis, receipt: Receipt, link: LinkTo): Block[] {
  const first = diagnosis.findings[0];
  if (first) return leadOf(first, diagnosis, link);
  if (isRanking(diagnosis, receipt)) return ranking(diagnosis.suspects, link, true);
  if (diagnosis.abstention !== undefined) {
    const reason = write(...safeBlocks(diagnosis.abstention, 2_000));
    return [
      paragraph(strong('No fault is named.'), ' The code was read, and what was found does not point to one place:'),
      reason,
    ];
  }
  return [paragraph(strong('No fault is named.'), ' Nothing was localized in this run.')];
}

/** Without a finding, the files that resemble the issue may still help; a diagnosis does not need them. */
function rankingBelow(diagnosis: Diagnosis, receipt: Receipt, link: LinkTo): Block[] {
  const wanted = diagnosis.findings.length === 0 && diagnosis.suspects.length > 0;
  if (!wanted || isRanking(diagnosis, receipt)) return [];
  return [
    {
      name: 'the files that resemble the issue',
      summary: [{ type: 'text', value: 'Files that resemble the issue’s words' }],
      blocks: ranking(diagnosis.suspects, link, false),
    },
  ];
}

const isRanking = (diagnosis: Diagnosis, receipt: Receipt): boolean =>
  Object.keys(receipt.models).length === 0 &&
  diagnosis.findings.length + diagnosis.knowledge.length === 0 &&
  diagnosis.abstention === undefined;

function notes(sentences: string[]): Block[] {
  if (sentences.length === 0) return [];
  const shown = sentences.slice(0, 12).map((sentence): Inline[] => [safeInline(sentence, 400)]);
  return [paragraph(strong('Worth knowing')), bullets(shown)];
}

/** Beside the findings and not below them: a doubt that is folded away is no warning. */
function doubts(diagnosis: Diagnosis): Block[] {
  const sentences = doubtsIn(diagnosis).map((doubt): Inline[] => [safeInline(asSentence(doubt), 400)]);
  return sentences.length === 0 ? [] : [paragraph(strong('Doubts that checking left')), bullets(sentences)];
}

const asSentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`;

/** What came of it is what a reader looks for first. */
const outcome = (next: NextStep | undefined): Block[] => (next?.kind === 'repairing' ? [] : nextStep(next));

function nextStep(next: NextStep | undefined): Block[] {
  if (next === undefined) return [];
  if (next.kind === 'repairing') return [paragraph(strong('Next'), ': a repair is being worked on.')];
  if (next.kind === 'no-pull-request') {
    return [paragraph(strong('Result'), ': no pull request. ', safeInline(next.reason, 1_000))];
  }
  const name = `${next.draft ? 'draft pull request' : 'pull request'} #${next.number}`;
  return [paragraph(strong('Result'), ': ', next.url ? link(next.url, name) : name)];
}
