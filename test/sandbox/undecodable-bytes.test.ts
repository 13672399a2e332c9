import { expect, test } from 'vitest';
import { UndecodableBytes } from '../../src/sandbox/undecodable-bytes.ts';

function countOf(pieces: Buffer[]): number {
  const bytes = new UndecodableBytes();
  for (const piece of pieces) bytes.push(piece);
  return bytes.count;
}

test('text in any script has none, wherever it is cut', () => {
  const text = Buffer.from('aé漢😀ß𝒳\n');
  for (let cut = 0; cut <= text.length; cut += 1) {
    expect(countOf([text.subarray(0, cut), text.subarray(cut)])).toBe(0);
  }
});

test('every byte that belongs to no character counts, wherever the stream is cut', () => {
  // é in Latin-1, a lone continuation, an overlong slash (2), a surrogate (3), a byte that UTF-8 never has.
  const bytes = Buffer.from([0x61, 0xe9, 0x62, 0x80, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xff, 0xc3, 0xa9]);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    expect(countOf([bytes.subarray(0, cut), bytes.subarray(cut)])).toBe(8);
  }
});

test('a character that the end of the stream cuts off counts', () => {
  expect(countOf([Buffer.from('ok😀').subarray(0, 5)])).toBe(3);
});
