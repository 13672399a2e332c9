import { bootstrapMean, type Estimate, pairedBootstrap } from '../../src/evaluation/statistics/bootstrap.ts';
import { type McNemar, mcnemar } from '../../src/evaluation/statistics/mcnemar.ts';
import { wilson } from '../../src/evaluation/statistics/wilson.ts';
import type { Candidate, Measured } from './measure.ts';

export const DEPTHS = [1, 5, 10] as const;
const SEED = 20_260_101;

/** Paths of one issue, best first. */
export type Ranking = string[];

export function rankBy(candidates: Candidate[], score: (candidate: Candidate) => number): Ranking {
  return candidates
    .map((candidate) => ({ path: candidate.path, score: score(candidate) }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

/** Whether one of the gold files is among the first `depth`. */
export const isHit = (ranking: Ranking, gold: string[], depth: number): boolean =>
  ranking.slice(0, depth).some((path) => gold.includes(path));

/** The share of the gold files among the first `depth`. */
export const recallOf = (ranking: Ranking, gold: string[], depth: number): number =>
  ranking.slice(0, depth).filter((path) => gold.includes(path)).length / gold.length;

export interface DepthFigures {
  depth: number;
  /** Share of issues with a hit (Wilson), and mean recall (bootstrap over issues). */
  accuracy: Estimate | undefined;
  recall: Estimate | undefined;
}

export function figuresOf(measured: Measured[], rankings: Ranking[]): DepthFigures[] {
  return DEPTHS.map((depth) => {
    const hits = measured.filter(({ gold }, at) => isHit(rankings[at] as Ranking, gold, depth)).length;
    const recalls = measured.map(({ gold }, at) => recallOf(rankings[at] as Ranking, gold, depth));
    return { depth, accuracy: wilson(hits, measured.length), recall: bootstrapMean(recalls, SEED) };
  });
}

export interface Comparison {
  depth: number;
  accuracy: McNemar;
  recall: Estimate | undefined;
}

/** `treatment` against `control` over the same issues. */
export function compare(measured: Measured[], control: Ranking[], treatment: Ranking[]): Comparison[] {
  return DEPTHS.map((depth) => {
    const hits = measured.map(({ gold }, at) => ({
      control: isHit(control[at] as Ranking, gold, depth),
      treatment: isHit(treatment[at] as Ranking, gold, depth),
    }));
    const recalls = measured.map(({ gold }, at) => ({
      control: recallOf(control[at] as Ranking, gold, depth),
      treatment: recallOf(treatment[at] as Ranking, gold, depth),
    }));
    return { depth, accuracy: mcnemar(hits), recall: pairedBootstrap(recalls, SEED) };
  });
}
