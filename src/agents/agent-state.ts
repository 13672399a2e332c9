import type { Message } from '../domain/ports/chat-model.ts';
import type { TrajectoryEntry } from '../domain/ports/trajectory-store.ts';
import type { Recoveries, RoleSettings } from '../domain/settings.ts';
import { nothingSpent, type Spent } from '../domain/usage.ts';
import type { AgentContext } from './agent-context.ts';
import type { AgentTask } from './agent-task.ts';
import type { Conversation } from './conversation.ts';
import { type RepeatCounter, repeatCounter } from './recoveries/loop-detection.ts';
import type { Standing } from './stop-rules.ts';
import { systemText } from './system-text.ts';

/** One agent at work: what it is to do, and how far it has come. */
export interface AgentState<T> {
  task: AgentTask<T>;
  context: AgentContext;
  role: RoleSettings;
  promptHash: string;
  startedMs: number;
  steps: number;
  spent: Spent;
  formatErrors: number;
  conversation: Conversation;
  /** Measured at the last reply; before it, a cautious guess. */
  tokensPerCharacter: number;
  repeats: RepeatCounter;
  /** Notices that are given once. */
  told: Set<string>;
}

type Unstamped<E> = E extends { at: string } ? Omit<E, 'at'> : never;

const FORMAT_ERRORS_IN_A_ROW = 3;

/** Opens the trajectory with the first two messages. */
export async function startAgent<T>(task: AgentTask<T>, context: AgentContext): Promise<AgentState<T>> {
  const agent: AgentState<T> = {
    task,
    context,
    role: context.settings.roles[task.role],
    promptHash: context.prompts.hash(task.role),
    startedMs: context.clock.monotonic(),
    steps: 0,
    spent: nothingSpent(),
    formatErrors: 0,
    conversation: { head: [], turns: [] },
    tokensPerCharacter: 0.35,
    repeats: repeatCounter(),
    told: new Set(),
  };
  const { role, promptHash } = agent;
  const tools = toolNames(task);
  await context.emit({ type: 'agent-started', role: task.role, agent: context.agent });
  await note(agent, { type: 'start', role: task.role, agent: context.agent, model: role.model, promptHash, tools });
  const head: Message[] = [
    { role: 'system', text: systemText(task, context) },
    { role: 'user', text: task.user },
  ];
  for (const message of head) await note(agent, { type: 'message', step: 0, message });
  agent.conversation.head = head;
  return agent;
}

/** Appends to the trajectory, with the time. */
export async function note<T>(agent: AgentState<T>, entry: Unstamped<TrajectoryEntry>): Promise<void> {
  const { run, agent: name, trajectories, clock } = agent.context;
  await trajectories.append(run, name, { at: clock.now().toISOString(), ...entry } as TrajectoryEntry);
}

/** Adds a message to the present turn. `stored` is what the trajectory keeps where that is more than the model sees. */
export async function say<T>(agent: AgentState<T>, message: Message, stored: Message = message): Promise<void> {
  await note(agent, { type: 'message', step: agent.steps, message: stored });
  const turn = agent.conversation.turns.at(-1);
  if (turn?.step === agent.steps) turn.messages.push(message);
  else agent.conversation.turns.push({ step: agent.steps, messages: [message] });
}

/** Writes down that a recovery did something. */
export async function noteRecovery<T>(agent: AgentState<T>, recovery: keyof Recoveries, detail: string): Promise<void> {
  await note(agent, { type: 'recovery', step: agent.steps, recovery, detail });
}

export function standingOf<T>(agent: AgentState<T>): Standing {
  const { submission } = agent.task;
  return {
    limits: agent.role.limits,
    steps: agent.steps,
    usd: agent.spent.usd,
    seconds: (agent.context.clock.monotonic() - agent.startedMs) / 1000,
    formatErrors: agent.formatErrors,
    formatErrorLimit: submission.by === 'reply' ? submission.attempts : FORMAT_ERRORS_IN_A_ROW,
  };
}

export const notice = <T>(agent: AgentState<T>, name: string, values: Record<string, unknown> = {}): string =>
  agent.context.prompts.render(`shared/${name}`, values);

/** The tool that hands in the work; empty for roles whose reply is their work. */
export const submitName = <T>(agent: AgentState<T>): string =>
  agent.task.submission.by === 'tool' ? agent.task.submission.tool.spec.name : '';

function toolNames<T>(task: AgentTask<T>): string[] {
  const submit = task.submission.by === 'tool' ? [task.submission.tool.spec.name] : [];
  return [...task.tools.map((tool) => tool.spec.name), ...submit];
}
