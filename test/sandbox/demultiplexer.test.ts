import { expect, test } from 'vitest';
import { Demultiplexer } from '../../src/sandbox/demultiplexer.ts';

function frame(stream: 1 | 2, text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

function read(pieces: Buffer[]): string[] {
  const seen: string[] = [];
  const frames = new Demultiplexer((stream, bytes) => seen.push(`${stream}:${bytes.toString()}`));
  for (const piece of pieces) frames.push(piece);
  return seen;
}

test('several frames in one piece come out one by one, in their order', () => {
  expect(read([Buffer.concat([frame(1, 'one'), frame(2, 'two'), frame(1, 'three')])])).toEqual([
    'stdout:one',
    'stderr:two',
    'stdout:three',
  ]);
});

test('wherever a stream is cut in two, nothing of it is lost or mixed up', () => {
  const whole = Buffer.concat([frame(1, 'first'), frame(2, ''), frame(2, 'second')]);
  for (let cut = 0; cut <= whole.length; cut += 1) {
    const seen = read([whole.subarray(0, cut), whole.subarray(cut)]);
    const of = (stream: string) =>
      seen
        .filter((piece) => piece.startsWith(stream))
        .map((piece) => piece.slice(stream.length + 1))
        .join('');
    expect([of('stdout'), of('stderr')]).toEqual(['first', 'second']);
  }
});

test('a stream that arrives byte by byte is understood', () => {
  const bytes = [...frame(2, 'slow')].map((byte) => Buffer.from([byte]));
  expect(read(bytes).join('')).toBe('stderr:sstderr:lstderr:ostderr:w');
});
