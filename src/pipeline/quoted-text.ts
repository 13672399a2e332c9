/** Without what changes when somebody copies text by hand: white space, and the marks that stand around commands. */
export const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Whether `piece` stands unbroken in the command `whole`: as whole words, its line ends and continuations aside. */
export function hasPiece(whole: string, piece: string): boolean {
  const text = ` ${asCommand(whole)} `;
  const wanted = asCommand(piece);
  if (wanted === '') return false;
  let looks = 0;
  for (let at = text.indexOf(wanted); at >= 0 && looks < MOST_LOOKS; at = text.indexOf(wanted, at + 1)) {
    looks++;
    const before = text[at - 1] ?? ' ';
    const after = text[at + wanted.length] ?? ' ';
    if (!joins(before, wanted[0]) && !joins(wanted.at(-1), after)) return true;
  }
  return false;
}

/** A text that repeats itself could hold a piece at each of its characters. */
const MOST_LOOKS = 1_000;

/** Whether two characters side by side are inside one word of a command. */
const joins = (left: string | undefined, right: string | undefined): boolean =>
  left !== undefined && right !== undefined && WORD.test(left) && WORD.test(right);

const WORD = /[\p{L}\p{N}_\-./=]/u;

/** A command as it counts: without a prompt before it, fences around it, separators at its ends. */
function asCommand(text: string): string {
  const joined = text.replaceAll('\\\n', ' ').replaceAll(/\s+/g, ' ').trim();
  const bare = joined.startsWith('`') && joined.endsWith('`') ? trimmed(joined, '`') : joined;
  const unprompted = bare.startsWith('$ ') ? bare.slice(2) : bare;
  return trimmed(unprompted, ' ;&|');
}

function trimmed(text: string, characters: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && characters.includes(text[start] as string)) start++;
  while (end > start && characters.includes(text[end - 1] as string)) end--;
  return text.slice(start, end);
}

const ELISIONS = new Set(['...', '…', '[...]', '[…]', '(...)', '# ...', '// ...']);
const PIECE_CHARACTERS = 12;

/**
 * Whether the lines of `quote` stand in `output` in their order, with any lines between. A short line has to be a whole
 * line there, a longer one may be a piece of one.
 */
export function linesInOrder(output: string, quote: string): boolean {
  const wanted = quote
    .split('\n')
    .map(squeezed)
    .filter((line) => line !== '' && !ELISIONS.has(line));
  if (wanted.length === 0) return false;
  const lines = output.split('\n').map(squeezed);
  let at = 0;
  for (const line of wanted) {
    while (at < lines.length && !holds(lines[at] as string, line)) at++;
    if (at === lines.length) return false;
    at++;
  }
  return true;
}

const holds = (one: string, line: string): boolean =>
  one === line || (line.length >= PIECE_CHARACTERS && one.includes(line));
