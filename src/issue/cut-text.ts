/** A text of at most `limit` characters: what is too much goes from after its first two thirds, at line ends, with a note. */
export function cutInTheMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = limit - 80;
  const headLimit = Math.floor((room * 2) / 3);
  const head = text.slice(0, lineEndBefore(text, headLimit));
  const tail = text.slice(lineStartAfter(text, text.length - (room - headLimit)));
  const missing = text.length - head.length - tail.length;
  return `${head.toWellFormed()}\n\n[… ${missing} characters left out here …]\n\n${tail.toWellFormed()}`;
}

/** Whole lines where they are short enough to matter little. */
function lineEndBefore(text: string, at: number): number {
  const end = text.lastIndexOf('\n', at);
  return end > at - 2000 && end > 0 ? end : at;
}

function lineStartAfter(text: string, at: number): number {
  const start = text.indexOf('\n', at);
  return start >= 0 && start < at + 2000 ? start + 1 : at;
}
