import { z } from 'zod';

export const TestCounts = z.object({
  passed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
});
export type TestCounts = z.infer<typeof TestCounts>;

/** One command that we ran in a clean container. `exitCode` is null when it was stopped by the time limit. */
export const ProofRun = z.object({
  what: z.enum(['regression', 'suite']),
  on: z.enum(['base', 'base+patch']),
  command: z.string(),
  exitCode: z.int().nullable(),
  seconds: z.number(),
  counts: TestCounts.optional(),
  failing: z.array(z.string()),
  tail: z.string(),
});
export type ProofRun = z.infer<typeof ProofRun>;

/**
 * `proven`: the regression test fails on base for the reason and passes on base + patch, and the suite is no
 * worse. Everything else says in `reason` what is missing.
 */
export const Proof = z.object({
  verdict: z.enum(['proven', 'not-reproduced', 'not-fixed', 'suite-worse', 'no-test', 'not-run']),
  reason: z.string(),
  image: z.string(),
  runs: z.array(ProofRun),
  /** One command that repeats it anywhere with Docker. */
  repeat: z.string().optional(),
  doesNotShow: z.array(z.string()),
});
export type Proof = z.infer<typeof Proof>;
