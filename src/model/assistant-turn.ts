import type { Message, ToolCall } from '../domain/ports/chat-model.ts';

export type AssistantTurn = Extract<Message, { role: 'assistant' }>;

/** True when both turns call the same tools with the same arguments under the same ids, in the same order. */
export function sameCalls(a: ToolCall[], b: ToolCall[]): boolean {
  return a.length === b.length && a.every((call, index) => sameCall(call, b[index]));
}

const sameCall = (a: ToolCall, b: ToolCall | undefined): boolean =>
  b !== undefined && a.id === b.id && a.name === b.name && a.arguments === b.arguments;

/**
 * A tool call as servers send it: some leave the id out or repeat it, some give the arguments as an object. Ids come
 * out unique within the reply and, by step, within a conversation.
 */
export function toolCalls(
  raw: { id: string | undefined; name: string; arguments?: unknown }[],
  step: number,
): ToolCall[] {
  const seen = new Set<string>();
  return raw.map((call, index) => {
    const id = call.id === undefined || call.id === '' || seen.has(call.id) ? `call_${step}_${index}` : call.id;
    seen.add(id);
    return { id, name: call.name, arguments: argumentsText(call.arguments) };
  });
}

function argumentsText(value: unknown): string {
  if (value === undefined || value === null) return '{}';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
