import { z } from 'zod';

/** The stages in the order of a run. The first five are a diagnosis, the others a repair. */
export const Stage = z.enum(['prepare', 'ask', 'answer', 'audit', 'report', 'resolve', 'prove', 'propose']);
export type Stage = z.infer<typeof Stage>;

export const AgentRole = z.enum(['questioner', 'answerer', 'localizer', 'verifier', 'resolver', 'doctor', 'judge']);
export type AgentRole = z.infer<typeof AgentRole>;

export const RunMode = z.enum(['diagnose', 'resolve']);
export type RunMode = z.infer<typeof RunMode>;
