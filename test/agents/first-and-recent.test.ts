import { describe, expect, it } from 'vitest';
import { type Conversation, charactersOf, toMessages } from '#src/agents/conversation.ts';
import { keepFirstAndRecent } from '#src/agents/recoveries/first-and-recent.ts';

const stubs = { observation: (count: number) => `[${count}]`, turns: (step: number) => `[before ${step}]` };

/** Ten steps that each say `said` characters and get `seen` characters back. */
const conversation = (said: number, seen: number): Conversation => ({
  head: [
    { role: 'system', text: 'instructions' },
    { role: 'user', text: 'issue' },
  ],
  turns: Array.from({ length: 10 }, (_, index) => ({
    step: index + 1,
    messages: [
      { role: 'assistant', text: 's'.repeat(said), toolCalls: [{ id: `${index}`, name: 'look', arguments: '{}' }] },
      { role: 'tool', callId: `${index}`, name: 'look', text: 'o'.repeat(seen) },
    ],
  })),
});

describe('a conversation that has to become shorter', () => {
  it('loses its older results first, and no more of them than it must', () => {
    const { conversation: short, observations, turns } = keepFirstAndRecent(conversation(10, 1000), 5000, stubs);
    expect(charactersOf(short)).toBeLessThanOrEqual(5000);
    expect({ observations, turns }).toEqual({ observations: 6, turns: 0 });
    expect(toMessages(short).filter((message) => message.text === '[1000]')).toHaveLength(6);
    expect(toMessages(short).at(-1)?.text).toHaveLength(1000);
  });

  it('loses whole turns when results are not what makes it long, and says so', () => {
    const { conversation: short, turns } = keepFirstAndRecent(conversation(1000, 10), 3500, stubs);
    expect(charactersOf(short)).toBeLessThanOrEqual(3500);
    expect(turns).toBe(7);
    expect(toMessages(short)[1]?.text).toBe('issue\n\n[before 8]');
  });

  it('keeps the first messages and the last turn even when they are too long', () => {
    const { conversation: short } = keepFirstAndRecent(conversation(1000, 1000), 10, stubs);
    expect(short.head).toHaveLength(2);
    expect(toMessages(short).at(-1)?.text).toHaveLength(1000);
  });
});
