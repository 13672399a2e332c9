import { CommandName, type Correction } from '../../domain/inbox.ts';

/** The command in a comment's first line, `/fathom diagnose` for one. Further words and lines are read for `answer` alone. */
export function commandOf(body: string): CommandName | undefined {
  const [slash, name] = firstWords(body);
  return slash === '/fathom' ? CommandName.safeParse(name).data : undefined;
}

/** True where a comment's first line begins as a command does, whatever follows. */
export const isAddressed = (body: string): boolean => firstWords(body)[0] === '/fathom';

function firstWords(body: string): string[] {
  const line = body.slice(0, 200).split('\n', 1)[0] ?? '';
  // So far to the right it is a code block.
  if (/^(?: {4}| {0,3}\t)/.test(line)) return [];
  return line.trim().toLowerCase().split(/\s+/, 2);
}

const MOST_CORRECTION = 4_000;

/** What `/fathom answer 2: …` says, over as many lines as it takes; undefined where number or text is missing. */
export function correctionOf(body: string): Correction | undefined {
  const words = body.trim().slice(0, MOST_CORRECTION + 100);
  const found = /^\/fathom\s{1,9}answer\s{1,9}(?:question\s{1,9})?q?(\d{1,2})\s{0,9}[:.,)]?(?=\s|$)/i.exec(words);
  const question = Number(found?.[1] ?? 0);
  const text = words.slice(found?.[0].length ?? 0).trim();
  if (found === null || question === 0 || text === '') return undefined;
  return { question, text: text.slice(0, MOST_CORRECTION).toWellFormed() };
}
