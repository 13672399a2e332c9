const HEADER_BYTES = 8;

export type StreamName = 'stdout' | 'stderr';

/**
 * Takes apart the engine's stream of a command without a terminal, wherever its pieces happen to be cut: each frame is
 * one byte that names the stream, three of padding, four of length (big-endian), and the payload. Docker Engine API,
 * "Attach to a container", "Stream format". Bytes are handed on without being copied.
 */
export class Demultiplexer {
  readonly #receive: (stream: StreamName, bytes: Buffer) => void;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  #remaining = 0;
  #stream: StreamName = 'stdout';

  constructor(receive: (stream: StreamName, bytes: Buffer) => void) {
    this.#receive = receive;
  }

  push(piece: Buffer): void {
    let at = 0;
    while (at < piece.length) at += this.#remaining > 0 ? this.#takePayload(piece, at) : this.#takeHeader(piece, at);
  }

  #takeHeader(piece: Buffer, at: number): number {
    const taken = piece.copy(this.#header, this.#headerBytes, at, at + HEADER_BYTES - this.#headerBytes);
    this.#headerBytes += taken;
    if (this.#headerBytes === HEADER_BYTES) {
      this.#headerBytes = 0;
      this.#stream = this.#header[0] === 2 ? 'stderr' : 'stdout';
      this.#remaining = this.#header.readUInt32BE(4);
    }
    return taken;
  }

  #takePayload(piece: Buffer, at: number): number {
    const payload = piece.subarray(at, at + this.#remaining);
    this.#remaining -= payload.length;
    this.#receive(this.#stream, payload);
    return payload.length;
  }
}
