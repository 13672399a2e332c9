import type { AgentEnd, RunEnd } from './ends.ts';
import type { Question } from './question.ts';
import type { AgentRole, RunMode, Stage } from './stage.ts';
import type { Spent } from './usage.ts';

/**
 * What a run tells while it goes on. Stages emit these and write to nobody; publishers (terminal, issue comment,
 * metrics) make of them what they need.
 */
export type RunEvent = { at: string } & RunEventBody;

export type RunEventBody =
  | { type: 'run-started'; mode: RunMode; title: string }
  | { type: 'stage-started'; stage: Stage }
  | { type: 'stage-finished'; stage: Stage; seconds: number; resumed: boolean }
  | { type: 'question-asked'; question: Question }
  | { type: 'agent-started'; role: AgentRole; agent: string }
  | { type: 'agent-step'; role: AgentRole; agent: string; step: number; limit: number; doing: string; spent: Spent }
  | { type: 'agent-finished'; role: AgentRole; agent: string; end: AgentEnd; steps: number; spent: Spent }
  | { type: 'note'; text: string }
  | { type: 'progress'; text: string }
  | { type: 'run-finished'; end: RunEnd; spent: Spent };
