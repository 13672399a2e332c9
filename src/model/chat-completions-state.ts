import type { ChatCompletionAssistantMessageParam } from 'openai/resources/chat/completions';
import { z } from 'zod';
import { type AssistantTurn, sameCalls } from './assistant-turn.ts';

const CallShape = z.object({ id: z.string(), name: z.string(), arguments: z.string() });

/**
 * What a Chat Completions server wants to see again: its message as it came, with reasoning (`reasoning_content`,
 * `reasoning`, `reasoning_details`) and whatever its tool calls carry beside name and arguments. `text` and
 * `toolCalls` are what the turn was read as, to see whether it still says that.
 */
export const ChatState = z.object({
  api: z.literal('chat'),
  model: z.string(),
  text: z.string(),
  toolCalls: z.array(CallShape),
  message: z.record(z.string(), z.unknown()),
});
export type ChatState = z.infer<typeof ChatState>;

/** An assistant's turn for the wire: the message as it came where the turn is still that, else built from the turn. */
export function assistantMessage(turn: AssistantTurn, model: string): ChatCompletionAssistantMessageParam {
  const parsed = ChatState.safeParse(turn.providerState);
  const state = parsed.success && parsed.data.model === model ? parsed.data : undefined;
  const kept = keptFields(turn, state);
  // Fields like `reasoning_content` are no part of OpenAI's type, and are what other servers ask for.
  return { ...builtFields(turn), ...kept } as ChatCompletionAssistantMessageParam;
}

function keptFields(turn: AssistantTurn, state: ChatState | undefined): Record<string, unknown> {
  if (state === undefined) return {};
  const { content, tool_calls, ...reasoning } = state.message;
  return {
    ...reasoning,
    ...(state.text === turn.text && content !== undefined && { content }),
    ...(sameCalls(state.toolCalls, turn.toolCalls) && idsAreTheirs(state, tool_calls) && { tool_calls }),
  };
}

/** False where ids had to be made up: then the tool results speak of ours. */
function idsAreTheirs(state: ChatState, raw: unknown): boolean {
  const calls = z.array(z.looseObject({ id: z.string() })).safeParse(raw);
  return calls.success && calls.data.every((call, index) => call.id === state.toolCalls[index]?.id);
}

function builtFields(turn: AssistantTurn): ChatCompletionAssistantMessageParam {
  const tool_calls = turn.toolCalls.map((call) => ({
    id: call.id,
    type: 'function' as const,
    function: { name: call.name, arguments: call.arguments },
  }));
  if (tool_calls.length === 0) return { role: 'assistant', content: turn.text.toWellFormed() };
  return { role: 'assistant', content: turn.text === '' ? null : turn.text.toWellFormed(), tool_calls };
}
