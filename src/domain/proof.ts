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
  /** Exit codes of the same command run again, each in a container of its own. */
  again: z.array(z.int().nullable()).optional(),
  tail: z.string(),
});
export type ProofRun = z.infer<typeof ProofRun>;

/** The repository's tests on base and on base + patch, told apart by name. */
export const SuiteDifference = z.object({
  /** Fail only with the change, every time. */
  broken: z.array(z.string()),
  /** Failed with the change and passed when they were run again. */
  flaky: z.array(z.string()),
  /** Failed on base and no longer do. */
  mended: z.array(z.string()),
  /** Fail on both. */
  known: z.array(z.string()),
});
export type SuiteDifference = z.infer<typeof SuiteDifference>;

/**
 * `proven`: the regression test fails on base for the reason and passes on base + patch, and the suite is no
 * worse. Everything else says in `reason` what is missing.
 */
export const Proof = z.object({
  verdict: z.enum(['proven', 'not-reproduced', 'not-fixed', 'suite-worse', 'no-test', 'not-run']),
  reason: z.string(),
  image: z.string(),
  runs: z.array(ProofRun),
  difference: SuiteDifference.optional(),
  /** One command that repeats it anywhere with Docker. */
  repeat: z.string().optional(),
  doesNotShow: z.array(z.string()),
});
export type Proof = z.infer<typeof Proof>;
