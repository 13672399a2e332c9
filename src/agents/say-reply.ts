import type { ChatReply, Message } from '../domain/ports/chat-model.ts';
import { type AgentState, note, say } from './agent-state.ts';
import type { RequestedCall } from './read-reply.ts';
import { shortenedReply } from './recoveries/response-length.ts';

/**
 * The model sees its own words without reasoning in the text, and calls with arguments that are JSON: servers refuse a
 * history that holds other ones. The trajectory keeps everything.
 */
export async function sayReply<T>(agent: AgentState<T>, reply: ChatReply, calls: RequestedCall[]): Promise<void> {
  const { text, toolCalls, providerState } = reply;
  const state = providerState === undefined ? {} : { providerState };
  const stored: Message = { role: 'assistant', text, toolCalls, ...state };
  const native = calls.filter((call) => call.nativeId !== undefined);
  const shown: Message = {
    role: 'assistant',
    text: shortenedReply(reply, agent.context.settings.recoveries.responseLength),
    toolCalls: native.map((call) => ({
      id: call.nativeId ?? '',
      name: call.name,
      arguments: JSON.stringify(call.args ?? {}),
    })),
    ...(calls.length === 0 && reply.finish === 'length' ? {} : state),
  };
  if (shown.text === '' && native.length === 0)
    return note(agent, { type: 'message', step: agent.steps, message: stored });
  await say(agent, shown, stored);
}
