import { z } from 'zod';

export const FileKind = z.enum(['source', 'test', 'scratch', 'protected']);
export type FileKind = z.infer<typeof FileKind>;

export const ChangedFile = z.object({
  path: z.string(),
  previousPath: z.string().optional(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'mode-changed']),
  kind: FileKind,
  added: z.int().nonnegative(),
  removed: z.int().nonnegative(),
  binary: z.boolean(),
  /** Git's file mode after the change, as `100644`; absent when deleted. */
  mode: z.string().optional(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/**
 * A change against the base commit. `diff` is what `git diff --binary --full-index` printed, base64 because a patch is
 * bytes and not text. It holds `files` (source and tests) and none of `left` (scratch and protected files).
 */
export const Patch = z.object({
  base: z.string(),
  diff: z.base64(),
  files: z.array(ChangedFile),
  left: z.array(ChangedFile),
  /** The diff of the protected files alone, base64, for a person to take; never part of `diff`. Absent when large. */
  protectedDiff: z.base64().optional(),
  notes: z.array(z.string()),
});
export type Patch = z.infer<typeof Patch>;

export const diffBytes = (patch: Patch): Buffer => Buffer.from(patch.diff, 'base64');
export const isEmptyPatch = (patch: Patch): boolean => patch.files.length === 0;

/** What a Resolver says of its work when it submits; the patch itself is taken by us. */
export const ResolutionReport = z.object({
  summary: z.string(),
  cause: z.string().optional(),
  /** Command that runs only the regression test, from the repository's root. */
  regressionTest: z.string().optional(),
  testFiles: z.array(z.string()).optional(),
  notChecked: z.string().optional(),
  /** Set when the Resolver finds that nothing should be changed. */
  noChangeReason: z.string().optional(),
});
export type ResolutionReport = z.infer<typeof ResolutionReport>;

/**
 * An edit that looks like a leftover or like none of this business. `line` is in the file after the change; absent
 * where the whole file is meant. `unplaced`: in a file that neither the issue, the diagnosis nor another edit leads to.
 */
export const StrayEdit = z.object({
  kind: z.enum(['white-space', 'reformatted', 'debugging', 'commented-out', 'unplaced']),
  path: z.string(),
  line: z.int().positive().optional(),
});
export type StrayEdit = z.infer<typeof StrayEdit>;

export const Resolution = z.object({
  patch: Patch,
  /** Where the default branch had moved on meanwhile: to which commit, and whether the change could be carried there. */
  moved: z.object({ from: z.string(), to: z.string(), outcome: z.enum(['rebased', 'conflict']) }).optional(),
  /** What stayed in the patch after the Resolver was told of it. */
  stray: z.array(StrayEdit).optional(),
  report: ResolutionReport.optional(),
  end: z.string(),
  /** True where the agent never submitted and its work was taken as it stood. */
  recovered: z.boolean(),
});
export type Resolution = z.infer<typeof Resolution>;
