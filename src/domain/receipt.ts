import { z } from 'zod';
import { RunMode, Stage } from './stage.ts';
import { Spent } from './usage.ts';

/** What a run was made of: enough to say later what was read, by which model, under which prompts and settings. */
export const Receipt = z.object({
  run: z.string(),
  mode: RunMode,
  fathom: z.string(),
  base: z.string(),
  snapshot: z.string(),
  actor: z.string(),
  models: z.record(z.string(), z.string()),
  /** True where stored replies were played back instead of asking a model. */
  recorded: z.boolean(),
  prompts: z.record(z.string(), z.string()),
  settings: z.unknown(),
  notes: z.array(z.string()),
  startedAt: z.iso.datetime(),
  spent: Spent,
  secondsByStage: z.partialRecord(Stage, z.number()),
});
export type Receipt = z.infer<typeof Receipt>;
