import type { RepairRole } from '../domain/settings.ts';
import type { Accepted, AgentTool, SubmitTool } from './tools/tool.ts';

/** What the loop needs to know of a role: its texts, what it may do, and how it hands in its work. */
export interface AgentTask<T> {
  role: RepairRole;
  system: string;
  /** The first user message: never dropped from the conversation. */
  user: string;
  tools: AgentTool[];
  submission: Submission<T>;
}

/** By a tool call; or, for roles without tools, by the whole text of a reply. */
type Submission<T> =
  | { by: 'tool'; tool: SubmitTool<T> }
  | { by: 'reply'; accept(text: string): Accepted<T>; attempts: number };
