import type { ChatReply, Message, ToolCall } from '../domain/ports/chat-model.ts';
import { type AgentState, note, say } from './agent-state.ts';
import { strictJson } from './json-in-text.ts';
import type { RequestedCall } from './read-reply.ts';
import { shortenedReply } from './recoveries/response-length.ts';

/**
 * The model sees its own words without reasoning in the text, and calls with arguments that are JSON: servers refuse a
 * history that holds other ones. The trajectory keeps everything.
 */
export async function sayReply<T>(agent: AgentState<T>, reply: ChatReply, calls: RequestedCall[]): Promise<void> {
  const { text, providerState } = reply;
  const state = providerState === undefined ? {} : { providerState };
  const native = calls.filter((call) => call.native);
  const inText = calls.filter((call) => !call.native).map(callForTheTrajectory);
  const stored: Message = { role: 'assistant', text, toolCalls: [...reply.toolCalls, ...inText], ...state };
  const shown: Message = {
    role: 'assistant',
    text: withoutInventedResults(shortenedReply(reply, agent.context.settings.recoveries.responseLength), calls),
    toolCalls: native.map((call) => ({
      id: call.id,
      name: call.name,
      arguments: historicArguments(call),
    })),
    ...(calls.length === 0 && reply.finish === 'length' ? {} : state),
  };
  if (shown.text === '' && native.length === 0)
    return note(agent, { type: 'message', step: agent.steps, message: stored });
  await say(agent, shown, stored);
}

const callForTheTrajectory = (call: RequestedCall): ToolCall => ({
  id: call.id,
  name: call.name,
  arguments: call.args === undefined ? call.raw : JSON.stringify(call.args),
});

/** As the model wrote them where that is a JSON object: what it wrote is what the provider has cached. */
function historicArguments(call: RequestedCall): string {
  const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject(strictJson(call.raw))) return call.raw;
  return isObject(call.args) ? JSON.stringify(call.args) : '{}';
}

/** Models that call in text go on, now and then, to write the result themselves: that must not look like one. */
function withoutInventedResults(text: string, calls: RequestedCall[]): string {
  const end = text.lastIndexOf('</tool_call>');
  const isInText = calls.length > 0 && calls.every((call) => !call.native);
  return isInText && end >= 0 ? text.slice(0, end + '</tool_call>'.length) : text;
}
