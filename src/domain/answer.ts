import { z } from 'zod';
import { CheckedCitation, Citation } from './citation.ts';
import { Question } from './question.ts';

/** What an Answerer submits (ACQUIRE §III-B2): an answer that rests on citations, or the evidence it could not find. */
export const Answer = z.object({
  outcome: z.enum(['answered', 'evidence-missing']),
  text: z.string().min(1),
  citations: z.array(Citation),
  /** What stays unknown after this answer. */
  gaps: z.string().optional(),
  /** A command or test whose outcome would show this answer to be wrong. */
  falsifier: z.string().optional(),
});
export type Answer = z.infer<typeof Answer>;

/** `answer` is absent where the Answerer ended without one; `end` says how it ended. */
export const QaPair = z.object({
  question: Question,
  answer: Answer.optional(),
  end: z.string(),
  /** Set where a maintainer has corrected the answer: then it is theirs, and marked so. */
  correctedBy: z.string().optional(),
});
export type QaPair = z.infer<typeof QaPair>;

/** An answer with what was checked about it in the container in which it was found, while that was there. */
export const AnsweredPair = QaPair.extend({ dependencies: z.array(CheckedCitation).optional() });
export type AnsweredPair = z.infer<typeof AnsweredPair>;
