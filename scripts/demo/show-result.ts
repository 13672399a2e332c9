import { join } from 'node:path';
import type { RootContent } from 'mdast';
import type { RunEvent } from '../../src/domain/run-events.ts';
import type { Spent } from '../../src/domain/usage.ts';
import { duration, money } from '../../src/report/amounts.ts';
import type { Speaker } from './choose-speaker.ts';
import type { Posted } from './posted.ts';
import { diffLines } from './screen/diff.ts';
import { blocksOf, markdownLines } from './screen/markdown.ts';
import { fitted, ruled, type Screen, wrapped } from './screen/screen.ts';
import { tableLines } from './screen/table.ts';
import { tallyOf, totalOf } from './tally.ts';

const DIFF_LINES = 60;
const BODY_LINES = 14;

interface Shown {
  posted: Posted;
  events: RunEvent[];
  speaker: Speaker;
  /** Where the files are that hold all of it. */
  out: string;
  /** Seconds from the label to the end. */
  seconds: number;
}

/** The diagnosis as posted, the proof, the pull request with its diff, and what all of it took. */
export function showResult(screen: Screen, shown: Shown): void {
  const { posted, out } = shown;
  const { pullRequest } = posted;
  const diagnosis = posted.comments.at(-1);
  if (diagnosis !== undefined) {
    const diagnosed = shown.events.some((event) => event.type === 'stage-finished' && event.stage === 'report');
    screen.print('', ruled(screen, diagnosed ? 'The diagnosis, as posted on the issue' : 'Posted on the issue'), '');
    screen.print(...markdownLines(screen, blocksOf(diagnosis)));
    screen.print('', hint(screen, 'unfolded', `${join(out, 'diagnosis.html')} (its links open with --keep)`));
  }
  if (pullRequest !== undefined) {
    const { proof, rest } = apart(blocksOf(pullRequest.body));
    screen.print('', ruled(screen, 'The proof'), '', ...markdownLines(screen, proof));
    const kind = pullRequest.draft ? 'draft' : 'ready for review';
    screen.print('', ruled(screen, `Pull request #${pullRequest.number}, ${kind}`), '');
    screen.print(screen.style('bold', fitted(pullRequest.title, screen.width)), '');
    screen.print(...shortened(screen, markdownLines(screen, rest), BODY_LINES));
    screen.print('', hint(screen, 'in full', join(out, 'pull-request.html')));
    screen.print('', ruled(screen, 'Its diff'), '');
    screen.print(...shortened(screen, diffLines(screen, pullRequest.diff), DIFF_LINES));
    screen.print('', hint(screen, 'as a file', join(out, 'change.diff')));
  }
  screen.print('', ruled(screen, 'What it took'), '', ...costLines(screen, shown));
}

/** The section with the table of commands, and all before it. */
function apart(blocks: RootContent[]): { proof: RootContent[]; rest: RootContent[] } {
  const table = blocks.findIndex((block) => block.type === 'table');
  const start = blocks.findLastIndex((block, at) => block.type === 'heading' && at < table);
  if (table < 0 || start < 0) return { proof: [], rest: blocks };
  return { proof: blocks.slice(start + 1, table + 1), rest: blocks.slice(0, start) };
}

function shortened(screen: Screen, lines: string[], limit: number): string[] {
  if (lines.length <= limit) return lines;
  return [...lines.slice(0, limit), screen.style('dim', `… ${lines.length - limit} more lines`)];
}

const hint = (screen: Screen, what: string, path: string): string => screen.style('dim', `${what}: ${path}`);

function costLines(screen: Screen, { events, speaker, seconds }: Shown): string[] {
  const tallies = tallyOf(events);
  const total = totalOf(tallies);
  const row = (name: string, one: { seconds: number; spent: Spent }) => [
    name,
    duration(one.seconds),
    ...spentCells(one.spent),
  ];
  const table = tableLines(
    screen,
    ['Stage', 'Time', 'Calls', 'Tokens in', 'cached', 'out', 'Money'].map((title, at) => ({ title, right: at > 0 })),
    [...tallies.map((one) => row(one.stage, one)), row('all', total)],
  );
  const unpriced =
    total.spent.unpriced > 0 ? [`No price is known for ${speaker.model}; its tokens are counted instead.`] : [];
  const recorded = speaker.recorded
    ? ['Tokens and money are those of the recording; the times are those of this run.']
    : [];
  return [
    ...table.slice(0, -1),
    screen.style('bold', table.at(-1) ?? ''),
    '',
    ...wrapped(`${duration(seconds)} from the label to the end. Who spoke: ${speaker.about}.`, screen.width),
    ...[...recorded, ...unpriced].map((line) => screen.style('dim', line)),
  ];
}

function spentCells({ calls, tokens, usd, unpriced }: Spent): string[] {
  if (calls === 0) return ['–', '', '', '', ''];
  const price = unpriced === calls ? 'no price' : money(usd);
  return [calls, tokens.input, tokens.cached, tokens.output].map((one) => one.toLocaleString('en')).concat(price);
}
