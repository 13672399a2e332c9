export interface ShownOutput {
  text: string;
  /** Whole lines that are not in `text`. */
  elidedLines: number;
  /** True where anything is missing, be it only the middle of one line. */
  elided: boolean;
}

export interface OutputSize {
  lines: number;
  bytes: number;
  /** How many characters are shown of an output that has to be cut; one that is up to a fifth longer is shown whole. */
  characters: number;
  /** Where the whole output can be read. */
  spillPath: string | undefined;
}

// Cutting the few lines too many out of an output costs an agent a step to read them; showing them costs less.
const SLACK = 1.2;

/**
 * The beginning and the end of an output, half of `characters` each, in whole lines; a line that is itself longer than
 * that is cut. Between them stands a line that says how much is missing. Bytes that are not UTF-8 become U+FFFD, and NUL
 * becomes U+2400, which databases and terminals bear.
 * @param ends The whole output, or what was kept of its two ends.
 */
export function shownOutput(ends: Buffer | { head: Buffer; tail: Buffer }, size: OutputSize): ShownOutput {
  if (Buffer.isBuffer(ends)) {
    const text = decoded(ends);
    if (text.length <= size.characters * SLACK) return { text, elidedLines: 0, elided: false };
  }
  const half = Math.floor(size.characters / 2);
  const head = beginning(decoded(Buffer.isBuffer(ends) ? ends : ends.head), half);
  const tail = ending(decoded(Buffer.isBuffer(ends) ? ends : ends.tail), half);
  const elidedLines = Math.max(0, size.lines - linesIn(head) - linesIn(tail));
  const newline = head === '' || head.endsWith('\n') ? '' : '\n';
  return { text: `${head}${newline}${gap(elidedLines, size)}\n${tail}`, elidedLines, elided: true };
}

function gap(elidedLines: number, size: OutputSize): string {
  const missing =
    elidedLines > 0 ? `${elidedLines} of ${size.lines} lines are not shown` : 'the middle of a long line is not shown';
  const whole =
    size.spillPath === undefined ? `${size.bytes} bytes in all` : `all ${size.bytes} bytes: ${size.spillPath}`;
  return `[... ${missing}; ${whole} ...]`;
}

function beginning(text: string, characters: number): string {
  const cut = text.slice(0, characters);
  const end = cut.lastIndexOf('\n') + 1;
  return end > 0 ? cut.slice(0, end) : withoutHalfPairs(cut);
}

function ending(text: string, characters: number): string {
  const cut = text.slice(Math.max(0, text.length - characters));
  if (text.length <= characters || text[text.length - characters - 1] === '\n') return cut;
  const start = cut.indexOf('\n') + 1;
  return start > 0 && start < cut.length ? cut.slice(start) : withoutHalfPairs(cut);
}

const decoded = (bytes: Buffer): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replaceAll('\0', '\u2400');

/** A surrogate whose partner was cut off is no character. */
const withoutHalfPairs = (text: string): string => text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count + (text === '' || text.endsWith('\n') ? 0 : 1);
}
