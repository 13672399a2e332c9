/** What stands between `open` and the next `close`, for every `open`; an unclosed last one reaches to the end. */
export function between(text: string, open: string, close: string): string[] {
  const found: string[] = [];
  let at = text.indexOf(open);
  while (at >= 0) {
    const start = at + open.length;
    const end = text.indexOf(close, start);
    found.push(end < 0 ? text.slice(start) : text.slice(start, end));
    if (end < 0) break;
    at = text.indexOf(open, end + close.length);
  }
  return found;
}

/** A reply without the reasoning that some servers leave in its text between think tags. */
export function withoutThinking(text: string): string {
  const end = text.lastIndexOf('</think>');
  const spoken = end < 0 ? text : text.slice(end + '</think>'.length);
  const unfinished = spoken.indexOf('<think>');
  return (unfinished < 0 ? spoken : spoken.slice(0, unfinished)).trim();
}

/** The contents of fenced code blocks, with the word after the opening fence. */
export function fencedBlocks(text: string): { language: string; code: string }[] {
  const blocks: { language: string; code: string }[] = [];
  let open: { language: string; lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const isFence = line.trimStart().startsWith('```');
    if (isFence && open) {
      blocks.push({ language: open.language, code: open.lines.join('\n') });
      open = undefined;
    } else if (isFence) open = { language: line.trim().slice(3).trim().toLowerCase(), lines: [] };
    else open?.lines.push(line);
  }
  return blocks;
}
