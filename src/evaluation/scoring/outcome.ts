import { z } from 'zod';
import { RunEnd } from '../../domain/ends.ts';
import { Location } from '../../domain/finding.ts';
import { QuestionCategory } from '../../domain/question.ts';
import { Stage } from '../../domain/stage.ts';
import { Spent } from '../../domain/usage.ts';
import { TrajectoryFigures } from './trajectory-figures.ts';

const share = z.number().min(0).max(1);
const count = z.int().nonnegative();

export const FileScores = z.object({
  precision: share,
  recall: share,
  f1: share,
  exact: share,
  jaccard: share,
  hitAt1: share,
  hitAt3: share,
  hitAt5: share,
  recallAt1: share,
});
export const ChunkScores = z.object({ coverageRecall: share, precision: share, tightness: share.optional() });

/** Whether the instance's own tests pass with the change; `how` says where they ran. */
export const TestVerdict = z.object({
  resolved: z.boolean(),
  failToPass: z.object({ passed: count, total: count }),
  passToPass: z.object({ passed: count, total: count }),
  how: z.string(),
  reason: z.string().optional(),
});
export type TestVerdict = z.infer<typeof TestVerdict>;

/** Everything that was measured of one instance under one arm. */
export const Outcome = z.object({
  instance: z.string(),
  repo: z.string(),
  arm: z.string(),
  run: z.string(),
  end: RunEnd,
  seconds: z.number().nonnegative(),
  secondsByStage: z.partialRecord(Stage, z.number()),
  spent: Spent,
  gold: z.object({ files: z.array(z.string()), chunks: z.array(Location) }),
  /** What the findings name, after the audit. */
  predicted: z.array(Location),
  /** Absent where nothing was to be localized. */
  files: FileScores.optional(),
  chunks: ChunkScores.optional(),
  /** The lexical ranking, which no arm asks a model for: 1-based rank of the first gold file among ten. */
  lexicalRank: count.optional(),
  abstained: z.boolean(),
  questions: count,
  answered: count,
  categories: z.partialRecord(QuestionCategory, count),
  citations: z.object({ confirmed: count, corrected: count, struck: count, unchecked: count }),
  locations: z.object({ confirmed: count, corrected: count, struck: count }),
  rating: z.number().optional(),
  agents: z.array(TrajectoryFigures),
  /** Files that the change touches, tests left out. */
  patched: z.array(z.string()).optional(),
  patchFiles: FileScores.optional(),
  proof: z.string().optional(),
  tests: TestVerdict.optional(),
});
export type Outcome = z.infer<typeof Outcome>;

/** What "passed" means for comparisons: resolved where tests were run, else the first named file is a gold file. */
export function passed(outcome: Outcome, measure: 'resolved' | 'hit@1'): boolean | undefined {
  if (measure === 'resolved') return outcome.tests?.resolved;
  return outcome.files === undefined ? undefined : outcome.files.hitAt1 === 1;
}
