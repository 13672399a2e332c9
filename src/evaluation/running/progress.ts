import { duration, money } from '../../report/amounts.ts';
import { oneLine } from '../../report/plain-text.ts';
import type { Outcome } from '../scoring/outcome.ts';

export interface Progress {
  kept(runs: number): void;
  /** One line about a run that ended, with how far everything is and how long the rest will take. */
  line(outcome: Outcome, spentUsd: number): string;
}

/** Counts runs; the remaining time follows from the mean of those that were done now. */
export function createProgress(all: number, parallel: number): Progress {
  let done = 0;
  let here = 0;
  let seconds = 0;
  return {
    kept: (runs) => {
      done += runs;
    },
    line: (outcome, spentUsd) => {
      done++;
      here++;
      seconds += outcome.seconds;
      const left = ((seconds / here) * (all - done)) / parallel;
      const rest = done === all ? 'all done' : `about ${duration(left)} left`;
      const place = `[${done}/${all}] ${oneLine(outcome.instance, 60)} · ${oneLine(outcome.arm, 60)}`;
      return `${place} · ${inShort(outcome)} · ${duration(outcome.seconds)} · ${money(spentUsd)} in all · ${rest}`;
    },
  };
}

function inShort({ end, files, tests, predicted }: Outcome): string {
  if (end.kind === 'failed') return `failed (${end.code})`;
  if (end.kind === 'stopped') return `stopped by ${oneLine(end.by, 40)}`;
  if (tests) return tests.resolved ? 'resolved' : 'not resolved';
  if (files && predicted.length === 0) return 'named no place';
  if (files) return files.hitAt1 === 1 ? 'right file' : 'wrong file';
  return end.kind;
}
