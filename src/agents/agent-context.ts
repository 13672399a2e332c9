import type { AgentEnd } from '../domain/ends.ts';
import type { FathomError } from '../domain/errors.ts';
import type { BudgetLedger, ChatModel, Clock, TrajectoryStore } from '../domain/ports/index.ts';
import type { RunEventBody } from '../domain/run-events.ts';
import type { RunSettings } from '../domain/settings.ts';
import type { Spent } from '../domain/usage.ts';
import type { PromptSet } from '../prompts/load-prompts.ts';

/** What every agent works with. `agent` is its name within the run: `answerer-Q1`. */
export interface AgentContext {
  run: string;
  agent: string;
  settings: RunSettings;
  model: ChatModel;
  budget: BudgetLedger;
  trajectories: TrajectoryStore;
  clock: Clock;
  prompts: PromptSet;
  emit(event: RunEventBody): void | Promise<void>;
}

/**
 * How an agent ended and what it left. `submission` is usually there only when it `submitted`; `steps` counts model
 * calls; `error` is what ended it where that was an error.
 */
export interface AgentResult<T> {
  end: AgentEnd;
  submission?: T;
  steps: number;
  spent: Spent;
  detail?: string;
  error?: FathomError;
}
