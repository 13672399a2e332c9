import { isUtf8 } from 'node:buffer';

/** Counts the bytes of a stream that belong to no UTF-8 character, wherever its pieces happen to be cut. */
export class UndecodableBytes {
  #count = 0;
  /** The beginning of a character whose rest may come with the next piece: at most three bytes. */
  #begun: Buffer = Buffer.alloc(0);

  push(piece: Buffer): void {
    const bytes = this.#begun.length === 0 ? piece : Buffer.concat([this.#begun, piece]);
    const whole = bytes.length - beginningOfCharacter(bytes);
    this.#begun = Buffer.from(bytes.subarray(whole));
    const complete = bytes.subarray(0, whole);
    if (!isUtf8(complete)) this.#count += countIn(complete);
  }

  /** The count if the stream ended here. */
  get count(): number {
    return this.#count + this.#begun.length;
  }
}

/** How many bytes at the end begin a character that is not complete. */
function beginningOfCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return lengthOfCharacter(byte) > back ? back : 0;
  }
  return 0;
}

function countIn(bytes: Buffer): number {
  let bad = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = lengthOfCharacter(bytes[at] ?? 0);
    const valid =
      length === 1 || (length > 1 && isUtf8(bytes.subarray(at, at + length)) && at + length <= bytes.length);
    bad += valid ? 0 : 1;
    at += valid ? length : 1;
  }
  return bad;
}

/** By its first byte; 0 for a byte that begins none. */
function lengthOfCharacter(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}
