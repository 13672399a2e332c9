const MAX_PREFIXES = 12;

/** Writes lines with the prefixes of the quotations and lists around them. */
export class TextWriter {
  private readonly lines: string[] = [];
  private readonly prefixes: { first: string; next: string }[] = [];
  private pieces: string[] = [];
  /** Prefixes of the blank line that is to come before the next line; undefined for none. */
  private blankDepth: number | undefined;
  /** True at the beginning of a list item or quotation, where no blank line belongs. */
  private fresh = true;

  /** True when nothing was written on this line yet. */
  get atLineStart(): boolean {
    return this.pieces.length === 0;
  }

  write(text: string): void {
    if (text !== '') this.pieces.push(text);
  }

  /** Takes back white space at the end of the line that is being written. */
  trimLine(): void {
    const last = this.pieces.pop()?.trimEnd();
    if (last) this.pieces.push(last);
  }

  /** Ends the line that is being written, if any. */
  endLine(): void {
    const line = this.pieces.join('').trimEnd();
    this.pieces = [];
    if (line !== '') this.put(line);
  }

  /** Ends the line and leaves one blank line before the next. */
  paragraph(): void {
    this.endLine();
    if (!this.fresh) this.blankDepth = Math.min(this.blankDepth ?? MAX_PREFIXES, this.prefixes.length);
  }

  /** Lines that are written as they are, blank ones too. */
  verbatim(lines: string[]): void {
    this.endLine();
    for (const line of lines) this.put(line);
  }

  enter(first: string, next: string): void {
    this.endLine();
    this.prefixes.push({ first, next });
    this.fresh = true;
  }

  leave(): void {
    this.endLine();
    this.prefixes.pop();
    if (this.blankDepth !== undefined) this.blankDepth = Math.min(this.blankDepth, this.prefixes.length);
  }

  text(): string {
    this.endLine();
    return this.lines.join('\n').replace(/^\n+|\s+$/g, '');
  }

  private put(line: string): void {
    if (this.blankDepth !== undefined && this.lines.length > 0) this.lines.push(this.blankLine(this.blankDepth));
    this.blankDepth = undefined;
    this.fresh = false;
    this.lines.push((this.prefix() + line).trimEnd());
  }

  private blankLine(depth: number): string {
    const outer = this.prefixes.slice(0, Math.min(depth, MAX_PREFIXES));
    return outer
      .map((level) => level.next)
      .join('')
      .trimEnd();
  }

  /** What goes before the next line: an item's mark once, then its indentation. */
  private prefix(): string {
    let prefix = '';
    for (const level of this.prefixes.slice(0, MAX_PREFIXES)) {
      prefix += level.first || level.next;
      level.first = '';
    }
    return prefix;
  }
}
