import { z } from 'zod';

const RepositoryCitation = z.object({
  kind: z.literal('repository'),
  path: z.string(),
  symbol: z.string().optional(),
  startLine: z.int().positive(),
  endLine: z.int().positive(),
});
const DependencyCitation = z.object({
  kind: z.literal('dependency'),
  package: z.string(),
  version: z.string().optional(),
  /** Absolute, or from the package's folder. Symbol and lines are in this file. */
  path: z.string().optional(),
  symbol: z.string().optional(),
  startLine: z.int().positive().optional(),
  endLine: z.int().positive().optional(),
});
const ObservationCitation = z.object({
  kind: z.literal('observation'),
  command: z.string(),
  output: z.string(),
});
const StandardCitation = z.object({ kind: z.literal('standard'), name: z.string() });

/** What a claim rests on. Lines are 1-based and inclusive, at the base commit. */
export const Citation = z.discriminatedUnion('kind', [
  RepositoryCitation,
  DependencyCitation,
  ObservationCitation,
  StandardCitation,
]);
export type Citation = z.infer<typeof Citation>;
export type RepositoryCitation = z.infer<typeof RepositoryCitation>;
export type DependencyCitation = z.infer<typeof DependencyCitation>;
export type ObservationCitation = z.infer<typeof ObservationCitation>;

/**
 * What the audit made of a citation. `corrected`: it was nearly right and `citation` is what it should have been.
 * `struck`: it does not hold and is never linked. `unchecked`: nothing here can check it.
 */
export const CheckedCitation = z.object({
  citation: Citation,
  verdict: z.enum(['confirmed', 'corrected', 'struck', 'unchecked']),
  note: z.string().optional(),
});
export type CheckedCitation = z.infer<typeof CheckedCitation>;
