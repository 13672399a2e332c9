import type { ChatReply, Message } from '../domain/ports/chat-model.ts';
import { type AgentState, noteRecovery, notice, say, standingOf, submitName } from './agent-state.ts';
import type { RequestedCall } from './read-reply.ts';
import { warnsFrom } from './recoveries/loop-detection.ts';
import { toolSpecs } from './system-text.ts';
import type { AgentTool } from './tools/tool.ts';

export interface StepLimits {
  reply: ChatReply;
  final: boolean;
  signal: AbortSignal;
}

/** Runs one call and answers it: 1 when it could be run, else 0. @throws SandboxError, CancelledError */
export async function runCall<T>(agent: AgentState<T>, call: RequestedCall, step: StepLimits): Promise<number> {
  const tool = agent.task.tools.find((one) => one.spec.name === call.name);
  const refusal = refusalOf(agent, tool, call, step);
  if (tool === undefined || refusal !== undefined) {
    await answerCall(agent, call, refusal ?? '');
    return 0;
  }
  const prepared = tool.prepare(call.args);
  if ('problems' in prepared) {
    await answerCall(agent, call, notice(agent, 'bad-arguments', { tool: call.name, problems: prepared.problems }));
    return 0;
  }
  step.signal.throwIfAborted();
  const { limits, seconds } = standingOf(agent);
  const result = await prepared.value.run({ signal: step.signal, secondsLeft: limits.seconds - seconds });
  await answerCall(agent, call, result + (await loopWarning(agent, tool, call, result)));
  return 1;
}

function refusalOf<T>(
  agent: AgentState<T>,
  tool: AgentTool | undefined,
  call: RequestedCall,
  step: StepLimits,
): string | undefined {
  const tools = toolSpecs(agent.task)
    .map((one) => one.name)
    .join(', ');
  if (tool === undefined) return notice(agent, 'unknown-tool', { tools });
  if (step.final) return notice(agent, 'unavailable-tool', { submit: submitName(agent) });
  if (call.args === undefined)
    return notice(agent, 'bad-arguments', { tool: call.name, problems: [notJson(agent, call, step.reply)] });
  return undefined;
}

export const notJson = <T>(agent: AgentState<T>, call: RequestedCall, reply: ChatReply): string =>
  notice(agent, reply.finish === 'length' ? 'arguments-cut' : 'arguments-not-json', { start: call.raw.slice(0, 300) });

/** SHERLOC's loop detection: a sentence that names the tool and how often it was called for nothing. */
async function loopWarning<T>(
  agent: AgentState<T>,
  tool: AgentTool,
  call: RequestedCall,
  result: string,
): Promise<string> {
  const times = agent.repeats.count(call.name, call.args, result);
  if (!agent.context.settings.recoveries.loopDetection || times < warnsFrom(tool.repeatsAreUseless)) return '';
  await noteRecovery(agent, 'loopDetection', `${call.name} called ${times} times for the same`);
  return `\n\n${notice(agent, 'loop-detected', { tool: call.name, times })}`;
}

/**
 * Only the provider's own calls have results of their own for the model; the others are answered as a user would. The
 * trajectory holds calls and results in one form, whatever the protocol.
 */
export async function answerCall<T>(agent: AgentState<T>, call: RequestedCall, text: string): Promise<void> {
  const result: Message = { role: 'tool', callId: call.id, name: call.name, text };
  if (call.native) return say(agent, result);
  const named = call.name === '' ? 'your call' : call.name;
  await say(agent, { role: 'user', text: notice(agent, 'tool-result', { name: named, text }) }, result);
}
