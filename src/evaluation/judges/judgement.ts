import { z } from 'zod';
import { QuestionCategory } from '../../domain/question.ts';

/** One judgement, made several times. */
export const Repeated = z.object({ mean: z.number(), values: z.array(z.number()).min(1) });
export type Repeated = z.infer<typeof Repeated>;

export const repeated = (values: number[]): Repeated => ({
  mean: values.reduce((sum, value) => sum + value, 0) / values.length,
  values,
});

/** ACQUIRE's five dimensions of a question, 1 to 10 (§V-C2). */
export const QUESTION_DIMENSIONS = ['relevance', 'answerability', 'utility', 'depth', 'clarity'] as const;

/** SHERLOC's three dimensions of a finding, 1 to 5 (§4.5); the composite is their mean. */
export const FINDING_DIMENSIONS = ['root_cause', 'location', 'actionability'] as const;

const scores = <T extends readonly string[]>(names: T) =>
  z.record(z.enum(names as unknown as [string, ...string[]]), Repeated);

/** What the judge model said about one run. */
export const Judgement = z.object({
  instance: z.string(),
  arm: z.string(),
  model: z.string(),
  questions: z.array(z.object({ id: z.string(), category: QuestionCategory, scores: scores(QUESTION_DIMENSIONS) })),
  /** Of the questions as a set, 1 to 10. */
  coverage: Repeated.optional(),
  /** How far an answer's claims rest on what it cites, 1 to 5. */
  answers: z.array(z.object({ id: z.string(), support: Repeated })),
  findings: scores(FINDING_DIMENSIONS).optional(),
  composite: Repeated.optional(),
  usd: z.number(),
  /** Judgements that the model did not make, with why. */
  missing: z.array(z.string()),
});
export type Judgement = z.infer<typeof Judgement>;

/** Which of two arms asked the better questions, voted with sides swapped. */
export const Vote = z.object({
  instance: z.string(),
  first: z.string(),
  second: z.string(),
  /** Votes for the first arm, for the second, and ties, over all repetitions and both orders. */
  forFirst: z.int().nonnegative(),
  forSecond: z.int().nonnegative(),
  ties: z.int().nonnegative(),
  /** How often both orders of a repetition named the same arm; the rest leans on the position. */
  consistent: z.int().nonnegative(),
  repetitions: z.int().positive(),
  usd: z.number(),
});
export type Vote = z.infer<typeof Vote>;
