import type { IssueSignals } from './issue-signals.ts';

const MAX_PHRASES = 400;

/** Three words in a row from error messages and quotations: source code often holds them as they are shown. */
export function phrasesOf(signals: IssueSignals): Set<string> {
  const phrases = new Set<string>();
  for (const line of signals.text.split('\n')) {
    for (const quoted of messagesIn(line.slice(0, 1000))) {
      const words = plainWords(quoted);
      for (let at = 0; at + 2 < words.length && phrases.size < MAX_PHRASES; at++)
        phrases.add(words.slice(at, at + 3).join(' '));
    }
  }
  return phrases;
}

function messagesIn(line: string): string[] {
  const found: string[] = [];
  const error = /\b[A-Z]\w*(?:Error|Exception|Warning)\b/.exec(line);
  if (error) found.push(line.slice(error.index + error[0].length));
  for (const quote of ['"', "'"]) {
    const parts = line.split(quote);
    for (let at = 1; at < parts.length - 1; at += 2)
      if ((parts[at] as string).length >= 12) found.push(parts[at] as string);
  }
  return found;
}

/** Which of the phrases a file's text holds. */
export function phrasesIn(text: string, phrases: ReadonlySet<string>): string[] {
  const words = plainWords(text);
  const found = new Set<string>();
  for (let at = 0; at + 2 < words.length; at++) {
    const phrase = `${words[at]} ${words[at + 1]} ${words[at + 2]}`;
    if (phrases.has(phrase)) found.add(phrase);
  }
  return [...found];
}

const plainWords = (text: string): string[] => text.toLowerCase().match(/[a-z_\u00aa-\uffff][\w\u00aa-\uffff]*/g) ?? [];
