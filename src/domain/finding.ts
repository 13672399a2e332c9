import { z } from 'zod';

/** A span of lines in a file of the base commit, 1-based and inclusive. */
export const Location = z.object({
  path: z.string(),
  startLine: z.int().positive(),
  endLine: z.int().positive(),
});
export type Location = z.infer<typeof Location>;

/** SHERLOC's finding: five fields, and every place that the fix would have to touch (§3.3). */
export const Finding = z.object({
  locationExplanation: z.string(),
  rootCause: z.string(),
  solutionIdea: z.string(),
  dependencies: z.string(),
  testingImpact: z.string(),
  locations: z.array(Location).min(1),
  falsifier: z.string().optional(),
});
export type Finding = z.infer<typeof Finding>;

/** What a Localizer submits: findings, most likely first, or the reason why it names none. */
export const Localization = z.object({
  findings: z.array(Finding),
  abstention: z.string().optional(),
});
export type Localization = z.infer<typeof Localization>;

/** A file that resembles the words. A lexical resemblance, not a diagnosis. */
export const Suspect = z.object({
  path: z.string(),
  score: z.number(),
  /** The definitions in it that resemble the issue most. */
  definitions: z.array(z.object({ name: z.string(), startLine: z.int().positive(), endLine: z.int().positive() })),
  reasons: z.array(z.string()),
});
export type Suspect = z.infer<typeof Suspect>;
