import { z } from 'zod';

/** How an agent finished. Every one but `submitted` may still have left work that is kept. */
export const AgentEnd = z.enum([
  'submitted',
  'step-limit',
  'cost-limit',
  'time-limit',
  'format-errors',
  'context-overflow',
  'cancelled',
  'sandbox-lost',
  'model-failed',
]);
export type AgentEnd = z.infer<typeof AgentEnd>;

/** How a run finished. `ranked` needed no model; `repaired` is a repair that stays on this machine. */
export const RunEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('diagnosed') }),
  z.object({ kind: z.literal('ranked') }),
  z.object({ kind: z.literal('repaired'), proven: z.boolean() }),
  z.object({ kind: z.literal('proposed'), pullRequest: z.int().positive().optional(), draft: z.boolean().optional() }),
  z.object({ kind: z.literal('no-pull-request'), reason: z.string() }),
  z.object({ kind: z.literal('stopped'), by: z.string() }),
  z.object({ kind: z.literal('failed'), code: z.string(), message: z.string(), remedy: z.string() }),
]);
export type RunEnd = z.infer<typeof RunEnd>;
