import type { Language, LineDefinition } from '../languages/language.ts';
import { mask } from '../languages/mask.ts';
import type { Definition } from '../repository.ts';

const MAX_DEFINITIONS = 20_000;

interface Open {
  definition: Definition;
  /** Indentation of its line, or braces open before it. */
  level: number;
  /** Whether its block has begun. */
  begun: boolean;
  /** Parentheses open before its line. */
  parentheses: number;
}

/** Definitions with their lines, from the shape of the lines alone: fast, linear, and right on usual code. */
export function scanDefinitions(text: string, language: Language): Definition[] {
  const { code } = mask(text, language.syntax);
  return language.blocks === 'braces' ? byBraces(code, language) : byIndentation(code, language);
}

function byIndentation(code: string, language: Language): Definition[] {
  const found: Definition[] = [];
  const open: Open[] = [];
  const brackets = new Brackets();
  let lastLine = 0;
  let number = 0;
  for (const line of code.split('\n')) {
    number++;
    const indentation = indentOf(line);
    if (indentation < 0) continue;
    const continued = brackets.follow(line);
    if (!continued) {
      const closing = language.blocks === 'end' && line.trimStart().startsWith('end');
      dedent(open, indentation, closing ? number : undefined, lastLine);
    }
    lastLine = number;
    const defined = continued ? undefined : language.definition(line);
    if (defined && found.length < MAX_DEFINITIONS) begin(found, open, defined, number, indentation);
  }
  for (const { definition } of open) definition.endLine = lastLine;
  return found;
}

/** Ends the definitions that a line's indentation ends; `closing` is the line when it is the `end` of one. */
function dedent(open: Open[], indentation: number, closing: number | undefined, lastLine: number): void {
  while (open.length > 0 && indentation <= (open.at(-1) as Open).level) {
    const { definition, level } = open.pop() as Open;
    definition.endLine = closing !== undefined && indentation === level ? closing : lastLine;
  }
}

/** Lines inside brackets continue a statement, whatever their indentation. */
class Brackets {
  private depth = 0;
  private lines = 0;

  /** Whether `line` began inside brackets; takes its brackets into account. */
  follow(line: string): boolean {
    // Brackets that stay open this long were miscounted.
    if (this.depth > 0 && ++this.lines > 300) this.depth = 0;
    const continued = this.depth > 0;
    for (let at = 0; at < line.length; at++) {
      const sign = line[at] as string;
      if (sign === '(' || sign === '[' || sign === '{') this.depth++;
      else if (sign === ')' || sign === ']' || sign === '}') this.depth = Math.max(0, this.depth - 1);
    }
    if (this.depth === 0) this.lines = 0;
    return continued;
  }
}

function begin(found: Definition[], open: Open[], defined: LineDefinition, line: number, level: number): void {
  const definition = { ...defined, startLine: line, endLine: line, depth: open.length };
  found.push(definition);
  open.push({ definition, level, begun: false, parentheses: 0 });
}

function indentOf(line: string): number {
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code !== 32 && code !== 9 && code !== 13 && code !== 12) return at;
  }
  return -1;
}

function byBraces(code: string, language: Language): Definition[] {
  const found: Definition[] = [];
  const blocks = new Blocks();
  let number = 0;
  for (const line of code.split('\n')) {
    number++;
    const defined = language.definition(line);
    if (defined && found.length < MAX_DEFINITIONS) blocks.begin(found, defined, number);
    blocks.follow(line, number);
  }
  for (const { definition, begun } of blocks.open) if (begun) definition.endLine = number;
  return found;
}

/** Follows braces; those inside parentheses (default values, object types) open no definition's block. */
class Blocks {
  readonly open: Open[] = [];
  depth = 0;
  private parentheses = 0;

  begin(found: Definition[], defined: LineDefinition, line: number): void {
    // What has found no block by now has none: a type, a declaration.
    for (let last = this.open.at(-1); last && !last.begun && last.level >= this.depth; last = this.open.at(-1))
      this.open.pop();
    begin(found, this.open, defined, line, this.depth);
    (this.open.at(-1) as Open).parentheses = this.parentheses;
  }

  follow(line: string, number: number): void {
    for (let at = 0; at < line.length; at++) {
      const sign = line[at] as string;
      if (sign === '(') this.parentheses++;
      else if (sign === ')') this.parentheses = Math.max(0, this.parentheses - 1);
      else if (sign === '{') this.enter();
      else if (sign === '}') this.leave(number);
      else if (sign === ';') this.statementEnd(number);
    }
  }

  private enter(): void {
    const innermost = this.open.at(-1);
    if (innermost && !innermost.begun && innermost.level === this.depth && this.parentheses === innermost.parentheses) {
      innermost.begun = true;
    }
    this.depth++;
  }

  private leave(number: number): void {
    this.depth = Math.max(0, this.depth - 1);
    for (let last = this.open.at(-1); last && last.level >= this.depth; last = this.open.at(-1)) {
      if (last.level === this.depth && !last.begun) return;
      last.definition.endLine = Math.max(last.definition.startLine, number);
      this.open.pop();
    }
  }

  /** A declaration without a block ends with its statement. */
  private statementEnd(number: number): void {
    const last = this.open.at(-1);
    if (!last || last.begun || last.level !== this.depth) return;
    last.definition.endLine = number;
    this.open.pop();
  }
}
