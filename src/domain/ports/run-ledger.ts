import type { z } from 'zod';
import type { RunEvent } from '../run-events.ts';
import type { Spent } from '../usage.ts';

/**
 * What is kept of a run: its artefacts by key (`run`, `ask`, `answer/answerer-1`, `prove` …), its events, what it
 * spent. A stage's artefact is saved before the next stage starts; saving a key again replaces it.
 */
export interface RunLedger {
  /** @throws InputError naming the place, when what was kept does not fit `schema`. */
  load<T>(run: string, key: string, schema: z.ZodType<T>): Promise<T | undefined>;
  save(run: string, key: string, value: unknown): Promise<void>;
  append(run: string, event: RunEvent): Promise<void>;
  /** Money and tokens of the run over all its attempts. */
  spent(run: string): Promise<Spent>;
  addSpent(run: string, spent: Spent): Promise<void>;
}
