import type { Message } from '../domain/ports/chat-model.ts';

/** One model call's messages: what the model said, and everything that was answered to it. */
export interface Turn {
  step: number;
  messages: Message[];
}

/** `head` is the system message and the first user message; it is never shortened. */
export interface Conversation {
  head: Message[];
  turns: Turn[];
}

/** The conversation as it is sent. Neighbouring user messages become one: some chat templates insist on alternation. */
export function toMessages(conversation: Conversation): Message[] {
  const merged: Message[] = [];
  for (const message of allMessages(conversation)) {
    const last = merged.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      merged[merged.length - 1] = { role: 'user', text: `${last.text}\n\n${message.text}` };
    } else merged.push(message);
  }
  return merged;
}

/** Characters that a provider has to read, with tool arguments and provider state. */
export function charactersOf(conversation: Conversation): number {
  return allMessages(conversation).reduce((sum, message) => sum + charactersOfMessage(message), 0);
}

export function charactersOfMessage(message: Message): number {
  if (message.role !== 'assistant') return message.text.length;
  const calls = message.toolCalls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
  const state = message.providerState === undefined ? 0 : JSON.stringify(message.providerState).length;
  return message.text.length + calls + state;
}

/** Whether `characters` stand word for word in the issue or in a result: then they are somebody else's. */
export function hasRead(conversation: Conversation, characters: string): boolean {
  const [, ...told] = allMessages(conversation);
  return told.some((message) => message.role !== 'assistant' && message.text.includes(characters));
}

const allMessages = (conversation: Conversation): Message[] => [
  ...conversation.head,
  ...conversation.turns.flatMap((turn) => turn.messages),
];
