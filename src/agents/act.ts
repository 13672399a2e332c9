import type { ChatReply } from '../domain/ports/chat-model.ts';
import { actOnText, complain } from './act-on-text.ts';
import { type AgentState, noteRecovery, notice } from './agent-state.ts';
import { hasRead } from './conversation.ts';
import { callsIn, type RequestedCall } from './read-reply.ts';
import { answerCall, notJson, runCall, type StepLimits } from './run-call.ts';
import { sayReply } from './say-reply.ts';
import { toolSpecs } from './system-text.ts';
import type { Accepted, AgentTool, SubmitTool } from './tools/tool.ts';

// Budgets are looked at between replies, so one reply must not do without end.
const MAX_CALLS = 20;

const SHOWN_DOING = 240;

/** What a step came to: something accepted as the agent's work, or undefined to go on. */
export type StepEnd<T> = { value: T } | undefined;

/**
 * Does what a reply asks for, call by call in order, and answers every call. A submission ends the step: calls before it
 * have been run and recorded, calls after it are answered as not executed.
 * @throws SandboxError, CancelledError
 */
export async function act<T>(
  agent: AgentState<T>,
  reply: ChatReply,
  final: boolean,
  signal: AbortSignal,
): Promise<StepEnd<T>> {
  const { submission } = agent.task;
  if (submission.by === 'reply') return actOnText(agent, reply, submission.accept);
  const calls = requestedCalls(agent, reply);
  await sayReply(agent, reply, calls);
  await tell(agent, calls);
  if (calls.length === 0) return complain(agent, reply);
  let outcome: Accepted<T> | undefined;
  let useful = 0;
  for (const [at, call] of calls.entries()) {
    if (at >= MAX_CALLS) await answerCall(agent, call, notice(agent, 'too-many-calls', { limit: MAX_CALLS }));
    else if (outcome) await answerCall(agent, call, notice(agent, 'not-executed'));
    else if (call.name === submission.tool.spec.name) {
      outcome = await submit(agent, submission.tool, call, { reply, final, signal });
    } else useful += await runCall(agent, call, { reply, final, signal });
  }
  if (outcome && 'value' in outcome) return outcome;
  if (outcome?.problems.length === 0) useful += 1;
  agent.formatErrors = useful > 0 ? 0 : agent.formatErrors + 1;
  return undefined;
}

function requestedCalls<T>(agent: AgentState<T>, reply: ChatReply): RequestedCall[] {
  const { protocol, recoveries } = agent.context.settings;
  const tools = toolSpecs(agent.task).map((tool) => tool.name);
  return callsIn(reply, {
    step: agent.steps,
    protocol,
    recoveries,
    tools,
    fits: (name, args) => fits(agent, name, args),
    isQuoted: (characters) => hasRead(agent.conversation, characters),
  });
}

function fits<T>(agent: AgentState<T>, name: string, args: unknown): boolean {
  const { tools, submission } = agent.task;
  const tool = tools.find((one) => one.spec.name === name);
  if (tool) return 'value' in tool.prepare(args);
  return submission.by === 'tool' && submission.tool.spec.name === name && 'value' in submission.tool.accept(args);
}

async function tell<T>(agent: AgentState<T>, calls: RequestedCall[]): Promise<void> {
  const { task, context, role, steps, spent } = agent;
  const doing =
    calls
      .map((call) => doingOf(task.tools, call))
      .join('; ')
      .slice(0, SHOWN_DOING) || 'thinking';
  const event = {
    type: 'agent-step',
    role: task.role,
    agent: context.agent,
    step: steps,
    limit: role.limits.steps,
  } as const;
  await context.emit({ ...event, doing, spent });
  for (const call of calls.filter((one) => one.recovered)) {
    await noteRecovery(agent, 'implicitToolCalls', `understood ${call.name} ${call.raw.slice(0, 200)}`);
  }
}

function doingOf(tools: AgentTool[], call: RequestedCall): string {
  const prepared = tools.find((tool) => tool.spec.name === call.name)?.prepare(call.args);
  return prepared && 'value' in prepared ? prepared.value.doing : call.name;
}

/** Work that is sent back for a second look is no mistake of form: it has no problems to name. */
async function submit<T>(
  agent: AgentState<T>,
  tool: SubmitTool<T>,
  call: RequestedCall,
  { reply, final, signal }: StepLimits,
): Promise<Accepted<T>> {
  const outcome = call.args === undefined ? { problems: [notJson(agent, call, reply)] } : tool.accept(call.args);
  if ('problems' in outcome) {
    await answerCall(agent, call, notice(agent, 'bad-arguments', { tool: call.name, problems: outcome.problems }));
    return outcome;
  }
  const objection = final || isLast(agent) ? undefined : await tool.review?.(outcome.value, signal);
  await answerCall(agent, call, objection ?? notice(agent, 'submitted'));
  return objection === undefined ? outcome : { problems: [] };
}

/** Too few replies are left to change anything and submit again. */
const isLast = <T>(agent: AgentState<T>): boolean => agent.role.limits.steps - agent.steps < 3;
