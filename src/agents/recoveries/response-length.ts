import type { ChatReply } from '../../domain/ports/chat-model.ts';
import { withoutThinking } from '../tagged-text.ts';

const KEPT_OF_A_CUT_REPLY = 2000;

/**
 * What stays in the conversation of a reply that was cut at the token limit (SHERLOC §3.4): its beginning, so that the
 * next attempt has room. Replies that came to their end stay as they are, but for the reasoning in their text.
 */
export function shortenedReply(reply: ChatReply, isOn: boolean): string {
  const spoken = withoutThinking(reply.text);
  if (!isOn || reply.finish !== 'length' || spoken.length <= KEPT_OF_A_CUT_REPLY) return spoken;
  return `${spoken.slice(0, KEPT_OF_A_CUT_REPLY)} […]`;
}
