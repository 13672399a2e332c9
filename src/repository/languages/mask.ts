import { regexEnd, regexMayStart } from './slash-regex.ts';

export interface StringSyntax {
  open: string;
  close: string;
  multiline: boolean;
  /** Whether a backslash takes the next character's meaning. */
  escapes: boolean;
  /** Characters within which it must close; otherwise the sign is no quote (Rust's lifetimes). */
  within?: number;
}

/** The part of a language's grammar that says what is no code. */
export interface Syntax {
  lineComments: readonly string[];
  blockComments: readonly (readonly [string, string])[];
  strings: readonly StringSyntax[];
  /** JavaScript's: `/…/` literals, and `${…}` in templates. */
  slashRegex?: boolean;
}

/** Masked text has the length and the line ends of its source. */
export interface Masked {
  /** Comments and the contents of strings are blank, quotes stay. */
  code: string;
}

/** Blanks comments and strings in one pass over the text: linear, whatever the text. */
export function mask(source: string, syntax: Syntax): Masked {
  const scanner = new Scanner(source, syntax);
  scanner.run();
  return { code: scanner.pieces.join('') };
}

class Scanner {
  readonly pieces: string[] = [];
  private readonly source: string;
  private readonly syntax: Syntax;
  private readonly starts: Set<number>;
  private readonly templateDepths: number[] = [];
  private braces = 0;
  private at = 0;
  private copied = 0;

  constructor(source: string, syntax: Syntax) {
    this.source = source;
    this.syntax = syntax;
    this.starts = startCodes(syntax);
  }

  run(): void {
    const { source } = this;
    while (this.at < source.length) {
      const code = source.charCodeAt(this.at);
      if (this.starts.has(code)) this.special(code);
      else this.at++;
    }
    this.pieces.push(source.slice(this.copied));
  }

  private special(code: number): void {
    const { source, at, syntax } = this;
    const line = syntax.lineComments.find((open) => source.startsWith(open, at));
    if (line !== undefined) {
      const end = lineEnd(source, at);
      this.blank(at, end, end);
      return;
    }
    const block = syntax.blockComments.find(([open]) => source.startsWith(open, at));
    const string = block ? undefined : syntax.strings.find(({ open }) => source.startsWith(open, at));
    if (block) {
      const end = after(source, block[1], at + block[0].length);
      this.blank(at, end, end);
    } else if (string) this.string(string);
    else if (syntax.slashRegex) this.javascript(code);
    else this.at++;
  }

  private javascript(code: number): void {
    const regex = code === SLASH && regexMayStart(this.source, this.at) ? regexEnd(this.source, this.at) : undefined;
    const endsCode = code === CLOSE_BRACE && this.templateDepths.at(-1) === this.braces;
    if (regex !== undefined) this.blank(this.at + 1, regex - 1, regex);
    else if (code === BACKTICK) this.template(this.at + 1);
    else if (endsCode) {
      this.templateDepths.pop();
      this.template(this.at + 1);
    } else {
      if (code === OPEN_BRACE) this.braces++;
      if (code === CLOSE_BRACE) this.braces--;
      this.at++;
    }
  }

  /** Blanks a template's text from `from` to its end or to the code in it. */
  private template(from: number): void {
    const { source } = this;
    let end = from;
    while (end < source.length) {
      const code = source.charCodeAt(end);
      if (code === BACKSLASH) end++;
      else if (code === BACKTICK) break;
      else if (code === DOLLAR && source.charCodeAt(end + 1) === OPEN_BRACE) {
        this.templateDepths.push(this.braces);
        this.blank(from, end, end + 2);
        return;
      }
      end++;
    }
    this.blank(from, Math.min(end, source.length), Math.min(end + 1, source.length));
  }

  private string(string: StringSyntax): void {
    const from = this.at + string.open.length;
    const end = stringEnd(this.source, from, string);
    const closed = this.source.startsWith(string.close, end);
    if (string.within !== undefined && (!closed || end - from > string.within)) {
      this.at = from;
      return;
    }
    this.blank(from, end, closed ? end + string.close.length : end);
  }

  private blank(from: number, to: number, next: number): void {
    this.pieces.push(this.source.slice(this.copied, from), blanked(this.source.slice(from, to)));
    this.copied = to;
    this.at = Math.max(next, this.at + 1);
  }
}

const SLASH = 47;
const BACKTICK = 96;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const BACKSLASH = 92;
const DOLLAR = 36;
const NEWLINE = 10;

function startCodes(syntax: Syntax): Set<number> {
  const opens = [
    ...syntax.lineComments,
    ...syntax.blockComments.map(([open]) => open),
    ...syntax.strings.map((s) => s.open),
  ];
  const codes = new Set(opens.map((open) => open.charCodeAt(0)));
  if (syntax.slashRegex) for (const code of [SLASH, BACKTICK, OPEN_BRACE, CLOSE_BRACE]) codes.add(code);
  return codes;
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}

function after(source: string, close: string, from: number): number {
  const end = source.indexOf(close, from);
  return end < 0 ? source.length : end + close.length;
}

function stringEnd(source: string, from: number, string: StringSyntax): number {
  const first = string.close.charCodeAt(0);
  const limit = string.within === undefined ? source.length : Math.min(source.length, from + string.within + 1);
  for (let at = from; at < limit; at++) {
    const code = source.charCodeAt(at);
    if (string.escapes && code === BACKSLASH) at++;
    else if (code === first && source.startsWith(string.close, at)) return at;
    else if (code === NEWLINE && !string.multiline) return at;
  }
  return limit;
}

function blanked(text: string): string {
  return text.includes('\n') ? text.replace(/[^\n]/g, ' ') : ' '.repeat(text.length);
}
