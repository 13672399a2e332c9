import type { Diagnosis } from '../domain/diagnosis.ts';
import type { IssueSnapshot } from '../domain/issue-snapshot.ts';
import type { Resolution } from '../domain/patch.ts';
import type { Proof } from '../domain/proof.ts';
import type { Receipt } from '../domain/receipt.ts';
import { commitMessage, titleOf } from './commit-message.ts';
import { type Block, compose } from './compose.ts';
import { agentEndInWords } from './ends-in-words.ts';
import { sentences } from './first-sentences.ts';
import { leftOut } from './left-out.ts';
import { type LinkTo, place, standing } from './places.ts';
import { countsLine, receiptFold } from './receipt-lines.ts';
import { doesNotShow, proofBlocks } from './render-proof.ts';
import { risksOf } from './render-risks.ts';
import { safeBlocks, safeInline } from './safe-markdown.ts';
import { code, heading, link, paragraph, strong, write } from './write-markdown.ts';

export interface PullRequestReport {
  issue: IssueSnapshot;
  diagnosis: Diagnosis;
  resolution: Resolution;
  proof: Proof;
  receipt: Receipt;
  link?: LinkTo;
  /** Address of the diagnosis that was posted on the issue. */
  diagnosisUrl?: string;
}

export interface PullRequestText {
  title: string;
  body: string;
  commitMessage: string;
}

/** Title, body and commit message of a pull request: what, why here, how it was proven, and what that leaves open. */
export function renderPullRequest(report: PullRequestReport): PullRequestText {
  const { issue, resolution, proof, receipt } = report;
  const body: Block[] = [
    ...unproven(proof),
    ...summary(resolution),
    ...why(report),
    ...risksOf(resolution.patch, resolution.stray),
    heading(3, proof.verdict === 'proven' ? 'How it was proven' : 'What was run'),
    ...proofBlocks(proof),
    ...doesNotShow(proof, resolution.report?.notChecked),
    ...leftOut(resolution.patch),
  ];
  const foot: Block[] = [
    ...(issue.number === undefined ? [] : [paragraph(`Fixes #${issue.number}`)]),
    receiptFold(receipt),
    countsLine(receipt),
  ];
  return {
    title: titleOf(issue),
    body: compose(body, foot),
    commitMessage: commitMessage(issue, resolution, receipt.run),
  };
}

function unproven(proof: Proof): Block[] {
  if (proof.verdict === 'proven') return [];
  return [paragraph(strong('This change is not proven.'), ' Read it as a proposal; what is missing is said below.')];
}

/** What the Resolver says that it did. */
export function summary({ report, recovered, end, moved }: Resolution): Block[] {
  return [
    ...(moved ? [movedLine(moved)] : []),
    ...(report ? safeBlocks(report.summary, 4_000).map((block) => write(block)) : []),
    ...(recovered
      ? [
          paragraph(
            `The Resolver ended before it called its work finished (${agentEndInWords(end)}); this is the change as it stood then.`,
          ),
        ]
      : []),
  ];
}

function movedLine({ from, to, outcome }: NonNullable<Resolution['moved']>): Block {
  const [before, now] = [code(from.slice(0, 7)), code(to.slice(0, 7))];
  if (outcome === 'conflict')
    return paragraph(
      strong('This conflicts with the default branch.'),
      ' It was made at ',
      before,
      ', and no longer applies at ',
      now,
      '.',
    );
  return paragraph(
    'This was made at ',
    before,
    '. The default branch has moved since, and everything below was run anew at ',
    now,
    '.',
  );
}

function why({ diagnosis, resolution, link: linkTo, diagnosisUrl }: PullRequestReport): Block[] {
  const finding = diagnosis.findings[0];
  const cause = resolution.report?.cause ?? finding?.rootCause;
  if (cause === undefined) return [];
  const at = finding ? standing(finding.checked)[0]?.location : undefined;
  return [
    heading(3, 'Why here'),
    paragraph(
      safeInline(sentences(cause, 4, 900), 900),
      ...(at ? [' See ', ...place(at, linkTo ?? (() => undefined)), '.'] : []),
      ...(diagnosisUrl ? [' ', link(diagnosisUrl, 'The whole diagnosis'), '.'] : []),
    ),
  ];
}
