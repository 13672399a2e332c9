import { z } from 'zod';

/** The four kinds of repository knowledge that repair needs (ACQUIRE §III-B1). */
export const QuestionCategory = z.enum([
  'Mechanism & Behavior',
  'Design & Usage',
  'Locating & Structure',
  'Ecosystem & Standards',
]);
export type QuestionCategory = z.infer<typeof QuestionCategory>;

export const Question = z.object({
  /** "Q1", "Q2" …: how people and prompts refer to it. */
  id: z.string(),
  category: QuestionCategory,
  text: z.string(),
});
export type Question = z.infer<typeof Question>;
