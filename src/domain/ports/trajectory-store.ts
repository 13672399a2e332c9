import type { AgentEnd } from '../ends.ts';
import type { AgentRole } from '../stage.ts';
import type { TokenUsage } from '../usage.ts';
import type { Message } from './chat-model.ts';

/** One line of an agent's transcript. A step is one model call with its actions. */
export type TrajectoryEntry =
  | { type: 'start'; at: string; role: AgentRole; agent: string; model: string; promptHash: string; tools: string[] }
  | { type: 'message'; at: string; step: number; message: Message }
  | { type: 'call'; at: string; step: number; seconds: number; usage: TokenUsage; usd?: number; finish: string }
  | { type: 'recovery'; at: string; step: number; recovery: string; detail: string }
  | { type: 'end'; at: string; step: number; end: AgentEnd; detail?: string };

/** Transcripts, appended as they happen. */
export interface TrajectoryStore {
  append(run: string, agent: string, entry: TrajectoryEntry): Promise<void>;
  read(run: string, agent: string): Promise<TrajectoryEntry[]>;
}
