import type { Git } from './git-command.ts';

/** A part of the commits at the far end whose dates are not trusted: one wrong clock must not let in all of history. */
const OUTLIERS = 0.02;

/**
 * The date, in seconds since 1970, from which on about `commits` commits lead up to `tip`; undefined where there are not
 * that many. A bound in generations would not do: with merges, 300 of them can be 60,000 commits.
 */
export async function startOfHistory(
  git: Git,
  gitDir: string,
  tip: string,
  commits: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const args = ['rev-list', '--timestamp', `--max-count=${commits + 1}`, tip];
  const lines = (await git({ gitDir, args }, signal)).stdout.toString().trim().split('\n');
  if (lines.length <= commits) return undefined;
  const dates = lines.map((line) => Number(line.split(' ')[0]));
  const newestFirst = dates.toSorted((a, b) => b - a);
  const start = newestFirst[Math.floor((1 - OUTLIERS) * (commits - 1))] ?? 0;
  return Math.min(start, dates[0] ?? start);
}

export async function countCommits(git: Git, gitDir: string, tip: string, signal: AbortSignal): Promise<number> {
  const { stdout } = await git({ gitDir, args: ['rev-list', '--count', tip] }, signal);
  return Number(stdout.toString());
}
