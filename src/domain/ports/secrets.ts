export interface FoundSecret {
  /** What it looks like, in a few words: `GitHub Token`, `private key`. Never the secret itself. */
  kind: string;
  /** UTF-16 offsets. */
  start: number;
  end: number;
}

/** Knows what secrets look like, and those of the operator by their value. Asked wherever text leaves the process. */
export interface Secrets {
  /** In order, without overlaps. Time is linear in the length of `text`. */
  find(text: string): Promise<FoundSecret[]>;
  /** The text with each secret replaced by `[removed: KIND]`. */
  redact(text: string): Promise<string>;
  /** The same, but only for the operator's own secrets and tokens made for them; for log lines, which cannot wait. */
  redactOwn(text: string): string;
}
