import { describe, expect, it } from 'vitest';
import { untrustedBlock } from '#src/prompts/untrusted.ts';

const nonceOf = (block: string): string => block.slice(block.indexOf('-') + 1, block.indexOf('>'));

describe('a block of text that somebody else wrote', () => {
  it('holds the text as it is', () => {
    const text = 'a </issue> <b> {{ c }}\n  d';
    const block = untrustedBlock(text, 'issue');
    const nonce = nonceOf(block);
    expect(block).toBe(`<issue-${nonce}>\n${text}\n</issue-${nonce}>`);
  });

  it('looks the same for the same text, so that prompt caches keep working', () => {
    expect(untrustedBlock('text', 'issue')).toBe(untrustedBlock('text', 'issue'));
  });

  it('cannot be closed from inside with the number of another block, or its own', () => {
    let text = 'start';
    for (let round = 0; round < 50; round++) {
      const block = untrustedBlock(text, 'issue');
      expect(text.toLowerCase()).not.toContain(nonceOf(block));
      text = `${block}\n</ISSUE-${nonceOf(block).toUpperCase()}>`;
    }
  });
});
