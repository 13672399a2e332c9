import { styleText } from 'node:util';
import { plainText } from '../../../src/report/plain-text.ts';

const WIDEST = 100;
const NARROWEST = 60;
const INDENT = '  ';

export type Style = Parameters<typeof styleText>[0];

/** Where the demonstration is shown. Colours and lines that change only where there is a terminal. */
export interface Screen {
  /** Columns for text, the margin taken off. */
  width: number;
  /** A terminal, on which lines may be written again. */
  live: boolean;
  style(style: Style, text: string): string;
  /** Writes lines for good. */
  print(...lines: string[]): void;
  /** Shows lines until the next call; nothing where the screen is not live. */
  show(lines: string[]): void;
}

export function createScreen(stream: NodeJS.WriteStream): Screen {
  const live = stream.isTTY === true && process.env['TERM'] !== 'dumb';
  const columns = Math.min(Math.max(stream.columns ?? WIDEST, NARROWEST), WIDEST);
  let shown = 0;
  const clear = () => {
    if (shown > 0) stream.write(`\u001b[${shown}A\u001b[0J`);
    shown = 0;
  };
  const write = (lines: string[]) => {
    for (const line of lines) stream.write(line === '' ? '\n' : `${INDENT}${line}\n`);
  };
  return {
    width: columns - INDENT.length,
    live,
    style: (style, text) => (text === '' ? '' : styleText(style, text, { stream })),
    print: (...lines) => {
      clear();
      write(lines);
    },
    show: (lines) => {
      if (!live) return;
      clear();
      write(lines);
      shown = lines.length;
    },
  };
}

/** A text of others on one line of at most `width` characters, without anything that a terminal would obey. */
export function fitted(text: string, width: number): string {
  const plain = plainText(text, width * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...plain];
  return characters.length <= width ? plain : `${characters.slice(0, Math.max(width - 1, 0)).join('')}…`;
}

/** Words on lines of at most `width` characters; a word that is longer is broken. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).flatMap((part) => piecesOf(part, width))) {
    if (line === '') line = word;
    else if (line.length + 1 + word.length <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return line === '' ? lines : [...lines, line];
}

function piecesOf(word: string, width: number): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < word.length; start += width) pieces.push(word.slice(start, start + width));
  return pieces;
}

/** A title between two sections. */
export function ruled(screen: Screen, title: string): string {
  const rest = Math.max(screen.width - title.length - 4, 4);
  return `${screen.style('dim', '──')} ${screen.style('bold', title)} ${screen.style('dim', '─'.repeat(rest))}`;
}
