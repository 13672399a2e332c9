import type { Message } from '../../domain/ports/chat-model.ts';
import { type Conversation, charactersOf, charactersOfMessage, type Turn } from '../conversation.ts';

export interface Shortened {
  conversation: Conversation;
  /** Observations that were replaced by a line, and turns that were left out altogether. */
  observations: number;
  turns: number;
}

/** The lines that stand for what was left out. */
export interface Stubs {
  observation(characters: number): string;
  turns(firstKeptStep: number): string;
}

/**
 * Makes a conversation fit `characters`: the first messages and the recent turns stay, older observations become one
 * line each, oldest first; only if that does not do, whole old turns go (SHERLOC §3.4 and appendix). The last turn
 * always stays. May give back more than was asked for, where the first messages alone are too long.
 */
export function keepFirstAndRecent(conversation: Conversation, characters: number, stubs: Stubs): Shortened {
  let left = charactersOf(conversation) - characters;
  let observations = 0;
  const turns = conversation.turns.map((turn, index) => {
    if (left <= 0 || index === conversation.turns.length - 1) return turn;
    const stubbed = withStubs(turn, stubs);
    left -= stubbed.saved;
    observations += stubbed.count;
    return stubbed.turn;
  });
  const dropped = turnsToDrop(turns, left);
  const kept = turns.slice(dropped);
  const note: Turn[] =
    dropped > 0 ? [{ step: 0, messages: [{ role: 'user', text: stubs.turns(kept[0]?.step ?? 0) }] }] : [];
  return { conversation: { head: conversation.head, turns: [...note, ...kept] }, observations, turns: dropped };
}

function withStubs(turn: Turn, stubs: Stubs): { turn: Turn; saved: number; count: number } {
  let saved = 0;
  let count = 0;
  const messages = turn.messages.map((message): Message => {
    const stub = stubs.observation(message.text.length);
    if (message.role === 'assistant' || message.text.length <= 2 * stub.length) return message;
    saved += message.text.length - stub.length;
    count++;
    return { ...message, text: stub };
  });
  return { turn: { ...turn, messages }, saved, count };
}

function turnsToDrop(turns: Turn[], excess: number): number {
  let left = excess;
  let dropped = 0;
  while (left > 0 && dropped < turns.length - 1) {
    left -= (turns[dropped]?.messages ?? []).reduce((sum, message) => sum + charactersOfMessage(message), 0);
    dropped++;
  }
  return dropped;
}
