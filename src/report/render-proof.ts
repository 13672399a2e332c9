import type { Proof, ProofRun, SuiteDifference } from '../domain/proof.ts';
import { counted, duration } from './amounts.ts';
import type { Block } from './compose.ts';
import { compose } from './compose.ts';
import { lastLines } from './plain-text.ts';
import { safeInline } from './safe-markdown.ts';
import { bullets, code, fence, type Inline, inline, paragraph, strong, table } from './write-markdown.ts';

const VERDICTS: Record<Proof['verdict'], string> = {
  proven: 'Proven: the regression test fails without the change and passes with it, and the suite is no worse.',
  'not-reproduced': 'Not proven: the failure could not be reproduced without the change.',
  'not-fixed': 'Not proven: the regression test still fails with the change.',
  'suite-worse': 'Not proven: tests that passed before fail with the change.',
  'no-test': 'Not proven: there is no test that shows the fault.',
  'not-run': 'Not proven: nothing could be run.',
};

const WHAT: Record<ProofRun['what'], string> = { regression: 'Regression test', suite: 'Whole suite' };

/** A proof as Markdown: the verdict, a row for each command that was run, their last output folded, and the gaps. */
export const renderProof = (proof: Proof): string => compose(proofBlocks(proof), []);

/** @param change Where whoever repeats it finds the change; of a pull request, in its branch. */
export function proofBlocks(proof: Proof, change: Inline[] = IN_BRANCH): Block[] {
  return [
    paragraph(strong(verdictOf(proof))),
    ...(proof.verdict === 'proven' || proof.reason === '' ? [] : [paragraph(safeInline(proof.reason, 1_500))]),
    ...(proof.runs.length > 0 ? [table(['What', 'Exit', 'Tests', 'Time', 'Command'], proof.runs.map(runRow))] : []),
    ...differenceBlocks(proof.difference),
    ...outputFold(proof.runs),
    ...repeatBlocks(proof, change),
  ];
}

const PROVEN_ALONE = 'Proven: the regression test fails without the change and passes with it. The suite was not run.';

/** A suite that was not run, or could not be, is not called no worse. */
function verdictOf({ verdict, runs }: Proof): string {
  const suite = runs.some(
    ({ what, on, exitCode, counts }) =>
      what === 'suite' && on === 'base+patch' && (exitCode === 0 || (counts?.passed ?? 0) > 0),
  );
  return verdict === 'proven' && !suite ? PROVEN_ALONE : VERDICTS[verdict];
}

/** What the proof leaves open, with what the Resolver itself did not check. */
export function doesNotShow(proof: Proof, notChecked?: string): Block[] {
  const gaps = notChecked ? [...proof.doesNotShow, notChecked] : proof.doesNotShow;
  if (gaps.length === 0) return [];
  return [
    paragraph(strong('What this does not show')),
    bullets(gaps.slice(0, 12).map((gap): Inline[] => [safeInline(gap, 500)])),
  ];
}

function runRow(run: ProofRun): Inline[] {
  return [`${WHAT[run.what]} on ${run.on}`, exitOf(run), countsOf(run), duration(run.seconds), code(run.command, 160)];
}

function exitOf({ exitCode, seconds, again = [] }: ProofRun): string {
  const stopped = seconds === 0 ? 'not run' : 'stopped by the time limit';
  const told = (code: number | null): string => (code === null ? stopped : String(code));
  return again.length === 0 ? told(exitCode) : `${told(exitCode)}, again ${again.map(told).join(', ')}`;
}

const DIFFERENCES: [kind: keyof SuiteDifference, sentence: string][] = [
  ['broken', 'Fail only with the change'],
  ['mended', 'Failed before and no longer do'],
  ['known', 'Fail with and without the change'],
  ['flaky', 'Failed with the change and passed when run again'],
];

/** The suite's tests by name, where any of them tells something. */
function differenceBlocks(difference: SuiteDifference | undefined): Block[] {
  const told = DIFFERENCES.filter(([kind]) => (difference?.[kind].length ?? 0) > 0);
  if (difference === undefined || told.length === 0) return [];
  return [bullets(told.map(([kind, sentence]): Inline[] => [`${sentence}: `, ...named(difference[kind])]))];
}

function named(tests: string[]): Inline[] {
  const shown = tests
    .slice(0, 8)
    .flatMap((name, at): Inline[] => (at === 0 ? [code(name, 160)] : [', ', code(name, 160)]));
  return tests.length > 8 ? [...shown, ` and ${tests.length - 8} more`] : shown;
}

function countsOf({ counts }: ProofRun): string {
  if (counts === undefined) return 'not read';
  const parts = (['passed', 'failed', 'skipped'] as const).filter((one) => counts[one] > 0);
  return parts.length === 0 ? 'none ran' : parts.map((one) => `${counts[one]} ${one}`).join(', ');
}

function outputFold(runs: ProofRun[]): Block[] {
  const blocks = runs.flatMap(outputBlocks);
  return blocks.length === 0
    ? []
    : [{ name: 'the output of these commands', summary: inline('Last lines of their output'), blocks }];
}

function outputBlocks(run: ProofRun): Block[] {
  if (run.tail.trim() === '') return [];
  const failing = run.failing.slice(0, 20).map((name): Inline[] => [code(name, 200)]);
  const more = run.failing.length - failing.length;
  return [
    paragraph(
      strong(`${WHAT[run.what]} on ${run.on}`),
      failing.length > 0 ? `, ${counted(run.failing.length, 'failing test')}` : '',
    ),
    ...(failing.length > 0 ? [bullets(more > 0 ? [...failing, [`and ${more} more`]] : failing)] : []),
    fence(lastLines(run.tail, 4_000)),
  ];
}

/** A command is of use only as a whole. */
const MOST_REPEAT = 12_000;

const IN_BRANCH: Inline[] = [
  'with the change in ',
  code('fathom.patch'),
  ' (',
  code('git diff --binary BASE...BRANCH'),
  ')',
];

function repeatBlocks({ repeat, image }: Proof, change: Inline[]): Block[] {
  if (repeat === undefined || repeat.length > MOST_REPEAT) return [paragraph('Run in ', code(image, 200), '.')];
  return [
    {
      name: 'how to repeat it',
      summary: inline('Repeat it anywhere with Docker'),
      blocks: [
        paragraph('In a clone, ', ...change, ':'),
        fence(lastLines(repeat, MOST_REPEAT), 'sh'),
        paragraph('What is shown above was run in the image ', code(image, 200), '.'),
      ],
    },
  ];
}
