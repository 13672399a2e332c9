import type { IncomingMessage } from 'node:http';
import type { BodyPlace } from './body-room.ts';

/** GitHub sends at most 25 MB. */
export const MOST_BYTES = 25 * 2 ** 20;

/**
 * The whole body, or `too-large` as soon as that is known: by the announced length before a byte is read, else once more
 * bytes have come than are allowed. `cut` when the sender stopped in the middle or took longer than `ms` milliseconds;
 * `no-room` when `place` has none for it.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  ms: number,
  place: Pick<BodyPlace, 'grow'>,
): Promise<Buffer | 'too-large' | 'cut' | 'no-room'> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve('too-large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => end('cut'), ms);
    const end = (result: Buffer | 'too-large' | 'cut' | 'no-room') => {
      clearTimeout(timer);
      request.removeAllListeners('data');
      resolve(result);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return end('too-large');
      // What was announced and does not come takes no room.
      if (!place.grow(size)) return end('no-room');
      chunks.push(chunk);
    });
    request.on('end', () => end(Buffer.concat(chunks)));
    request.on('close', () => end('cut'));
    request.on('error', () => end('cut'));
  });
}
