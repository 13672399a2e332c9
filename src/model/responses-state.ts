import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { z } from 'zod';
import { type AssistantTurn, sameCalls } from './assistant-turn.ts';

const CallShape = z.object({ id: z.string(), name: z.string(), arguments: z.string() });

/** The output items of a response as they came. `text` and `toolCalls` are what the turn was read as. */
export const ResponsesState = z.object({
  api: z.literal('responses'),
  model: z.string(),
  text: z.string(),
  toolCalls: z.array(CallShape),
  items: z.array(z.record(z.string(), z.unknown())),
});
export type ResponsesState = z.infer<typeof ResponsesState>;

/**
 * An assistant's turn as input items: those that came, unchanged, where the turn still says what they say and the
 * server can read them without having stored them; else built from the turn, and then without reasoning.
 */
export function assistantItems(turn: AssistantTurn, model: string, withReasoning: boolean): ResponseInputItem[] {
  const state = ResponsesState.safeParse(turn.providerState);
  const usable = withReasoning && state.success && state.data.model === model && stillSays(turn, state.data);
  return usable ? (state.data.items as unknown as ResponseInputItem[]) : builtItems(turn);
}

function stillSays(turn: AssistantTurn, state: ResponsesState): boolean {
  const ids = state.items.filter((item) => item['type'] === 'function_call').map((item) => item['call_id']);
  return (
    state.text === turn.text &&
    sameCalls(state.toolCalls, turn.toolCalls) &&
    turn.toolCalls.every((call, index) => call.id === ids[index]) &&
    state.items.every(isSelfContained)
  );
}

/** With `store: false` the server knows a reasoning item only by what is in it. */
function isSelfContained(item: Record<string, unknown>): boolean {
  if (item['type'] !== 'reasoning') return true;
  const content = item['content'];
  return typeof item['encrypted_content'] === 'string' || (Array.isArray(content) && content.length > 0);
}

function builtItems(turn: AssistantTurn): ResponseInputItem[] {
  const calls = turn.toolCalls.map((call) => ({
    type: 'function_call' as const,
    call_id: call.id,
    name: call.name,
    arguments: call.arguments,
  }));
  return turn.text === '' ? calls : [{ role: 'assistant', content: turn.text.toWellFormed() }, ...calls];
}
