/** A command line taken apart: its simple commands, and the texts that were given to them on standard input. */
export interface ShellCommand {
  segments: string[];
  heredocs: string[];
}

/**
 * Splits at `&&`, `||`, `;`, `|` and line ends outside of quotes; here-documents are taken out first. Good enough to say
 * what a command is for; it is no shell. Linear in the length.
 */
export function splitShell(command: string): ShellCommand {
  const { text, bodies } = withoutHeredocs(command);
  const segments: string[] = [];
  let current = '';
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (quote !== '') {
      if (character === quote) quote = '';
      current += character;
    } else if (character === '\\') {
      current += character + (text[++at] ?? '');
    } else if (character === '"' || character === "'") {
      quote = character;
      current += character;
    } else if (isSeparator(character, text[at - 1], text[at + 1])) {
      segments.push(current);
      current = '';
    } else current += character;
  }
  segments.push(current);
  const trimmed = segments.map((segment) => segment.trim()).filter((segment) => segment !== '');
  return { segments: trimmed, heredocs: bodies };
}

/** `2>&1` and `&>` are no separators, and neither is `>|`. */
function isSeparator(character: string, before: string | undefined, after: string | undefined): boolean {
  if (character === ';' || character === '\n') return true;
  if (character === '|') return before !== '>';
  return character === '&' && before !== '>' && after !== '>';
}

function withoutHeredocs(command: string): { text: string; bodies: string[] } {
  const kept: string[] = [];
  const bodies: string[] = [];
  let open: { word: string; lines: string[] } | undefined;
  for (const line of command.split('\n')) {
    if (open) {
      if (line.trim() === open.word) {
        bodies.push(open.lines.join('\n'));
        open = undefined;
      } else open.lines.push(line);
      continue;
    }
    kept.push(line);
    const word = /<<-?\s*(["']?)(\w+)\1/.exec(line)?.[2];
    if (word !== undefined) open = { word, lines: [] };
  }
  if (open) bodies.push(open.lines.join('\n'));
  return { text: kept.join('\n'), bodies };
}
