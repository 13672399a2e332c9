import { type ShownOutput, shownOutput } from './shown-output.ts';
import { UndecodableBytes } from './undecodable-bytes.ts';

const NEWLINE = 0x0a;
const LONGEST_CHARACTER_BYTES = 4;

/** What a command has printed so far: counted as a whole, and kept at both ends, so that no output costs more memory. */
export class CommandOutput {
  readonly #keptBytes: number;
  readonly #undecodable = new UndecodableBytes();
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #newlines = 0;
  #lastByte = NEWLINE;
  totalBytes = 0;

  /** Keeps `keptBytes` of the beginning and as much of the end. */
  constructor(keptBytes: number) {
    this.#keptBytes = keptBytes;
  }

  push(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.totalBytes += bytes.length;
    this.#lastByte = bytes[bytes.length - 1] ?? NEWLINE;
    this.#newlines += newlinesIn(bytes);
    this.#undecodable.push(bytes);
    const forHead = Math.min(bytes.length, this.#keptBytes - this.#headBytes);
    if (forHead > 0) this.#pushHead(bytes.subarray(0, forHead));
    if (forHead < bytes.length) this.#pushTail(bytes.subarray(Math.max(forHead, 0)));
  }

  get undecodableBytes(): number {
    return this.#undecodable.count;
  }

  get lines(): number {
    return this.#newlines + (this.#lastByte === NEWLINE ? 0 : 1);
  }

  /** The beginning and the end as they came, with a line between where something is missing. */
  kept(): Buffer {
    const [head, tail] = this.#ends();
    const missing = this.totalBytes - head.length - tail.length;
    const gap = missing > 0 ? Buffer.from(`\n[... ${missing} bytes were not kept ...]\n`) : Buffer.alloc(0);
    return Buffer.concat([head, gap, tail]);
  }

  /** At most `characters` of it in whole lines; `spillPath` is named where something is left out. */
  shown(characters: number, spillPath?: string): ShownOutput {
    const size = { lines: this.lines, bytes: this.totalBytes, characters, spillPath };
    const enough = characters * LONGEST_CHARACTER_BYTES;
    const [head, tail] = this.#ends();
    const complete = head.length + tail.length === this.totalBytes;
    const all = complete ? Buffer.concat([head, tail]) : undefined;
    if (all !== undefined && all.length <= enough) return shownOutput(all, size);
    return shownOutput({ head: (all ?? head).subarray(0, enough), tail: lastBytes(all ?? tail, enough) }, size);
  }

  #ends(): [Buffer, Buffer] {
    const tail = Buffer.concat(this.#tail);
    return [Buffer.concat(this.#head), lastBytes(tail, this.#keptBytes)];
  }

  #pushHead(bytes: Buffer): void {
    this.#head.push(Buffer.from(bytes));
    this.#headBytes += bytes.length;
  }

  #pushTail(bytes: Buffer): void {
    this.#tail.push(Buffer.from(lastBytes(bytes, this.#keptBytes)));
    this.#tailBytes += Math.min(bytes.length, this.#keptBytes);
    if (this.#tailBytes < 2 * this.#keptBytes && this.#tail.length < 4096) return;
    const kept = Buffer.concat(this.#tail);
    this.#tail = [Buffer.from(lastBytes(kept, this.#keptBytes))];
    this.#tailBytes = this.#tail[0]?.length ?? 0;
  }
}

const lastBytes = (bytes: Buffer, count: number): Buffer => bytes.subarray(Math.max(0, bytes.length - count));

function newlinesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
