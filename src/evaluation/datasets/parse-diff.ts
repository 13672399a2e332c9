import { diffPath, headerPaths } from './diff-path.ts';

/** A hunk. `lines` keep their first character (` `, `+` or `-`) and everything after it, carriage returns too. */
export interface Hunk {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
  lines: string[];
}

/** One file of a unified diff. A path is absent where the file does not exist on that side. */
export interface DiffFile {
  oldPath?: string;
  newPath?: string;
  binary: boolean;
  hunks: Hunk[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Reads a unified diff as `git diff` or `diff -u` prints it. Hunks are read by their counts, so a removed line that
 * looks like a header is none. @throws DiffError when a hunk ends early or no file is named.
 */
export function parseDiff(text: string): DiffFile[] {
  const reader = new DiffReader(text.split('\n'));
  return reader.read();
}

/** The text is no unified diff. */
export class DiffError extends Error {}

class DiffReader {
  private readonly lines: string[];
  private readonly files: DiffFile[] = [];
  private file: DiffFile | undefined;
  private at = 0;

  constructor(lines: string[]) {
    this.lines = lines;
  }

  read(): DiffFile[] {
    while (this.at < this.lines.length) {
      const line = this.lines[this.at] as string;
      if (line.startsWith('diff --git ')) this.begin(headerPaths(line.slice('diff --git '.length)));
      else if (line.startsWith('--- ') && this.next()?.startsWith('+++ ')) this.names(line);
      else if (line.startsWith('@@ ')) this.hunk(line);
      else this.header(line);
      this.at++;
    }
    if (this.files.length === 0) throw new DiffError('names no file');
    return this.files;
  }

  private next(): string | undefined {
    return this.lines[this.at + 1];
  }

  private begin(paths: { oldPath?: string; newPath?: string }): DiffFile {
    const file: DiffFile = { ...paths, binary: false, hunks: [] };
    this.files.push(file);
    this.file = file;
    return file;
  }

  /** `--- a` and `+++ b`: of the file that was begun, or of a new one in a diff without git's headers. */
  private names(line: string): void {
    const file = this.file && this.file.hunks.length === 0 ? this.file : this.begin({});
    setPath(file, 'oldPath', diffPath(line.slice(4), 'a/'));
    this.at++;
    setPath(file, 'newPath', diffPath((this.lines[this.at] as string).slice(4), 'b/'));
  }

  private header(line: string): void {
    const { file } = this;
    if (!file || file.hunks.length > 0) return;
    if (line.startsWith('new file mode ')) setPath(file, 'oldPath', undefined);
    else if (line.startsWith('deleted file mode ')) setPath(file, 'newPath', undefined);
    else if (line.startsWith('rename from ')) setPath(file, 'oldPath', diffPath(line.slice(12), ''));
    else if (line.startsWith('rename to ')) setPath(file, 'newPath', diffPath(line.slice(10), ''));
    else if (line.startsWith('copy from ')) setPath(file, 'oldPath', diffPath(line.slice(10), ''));
    else if (line.startsWith('copy to ')) setPath(file, 'newPath', diffPath(line.slice(8), ''));
    else if (line.startsWith('GIT binary patch') || line.startsWith('Binary files ')) file.binary = true;
  }

  private hunk(line: string): void {
    const match = HUNK.exec(line);
    if (!match) return;
    if (!this.file) throw new DiffError(`a hunk on line ${this.at + 1} belongs to no file`);
    const [oldStart, oldCount, newStart, newCount] = [match[1], match[2] ?? '1', match[3], match[4] ?? '1'].map(Number);
    const hunk = { oldStart, oldCount, newStart, newCount, lines: [] } as Hunk;
    this.file.hunks.push(hunk);
    this.content(hunk);
  }

  /** As many lines as the hunk says that it has. */
  private content(hunk: Hunk): void {
    let old = hunk.oldCount;
    let fresh = hunk.newCount;
    while (old > 0 || fresh > 0) {
      this.at++;
      const mark = this.markHere();
      if (mark === '\\') continue;
      if (mark !== '+') old--;
      if (mark !== '-') fresh--;
      // Mail programs drop the blank of an empty context line.
      hunk.lines.push(this.lines[this.at] || ' ');
    }
    if (old < 0 || fresh < 0) throw new DiffError(`the hunk before line ${this.at + 1} is longer than it says`);
  }

  private markHere(): string {
    const content = this.lines[this.at];
    if (content === undefined) throw new DiffError('ends inside a hunk');
    const mark = content[0] ?? ' ';
    if (![' ', '+', '-', '\\'].includes(mark)) throw new DiffError(`line ${this.at + 1} is no line of a hunk`);
    return mark;
  }
}

function setPath(file: DiffFile, side: 'oldPath' | 'newPath', path: string | undefined): void {
  if (path === undefined) delete file[side];
  else file[side] = path;
}

/** Lines added and removed, as `git apply --numstat` counts them. */
export function countLines(file: DiffFile): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const { lines } of file.hunks) {
    for (const line of lines) {
      if (line.startsWith('+')) added++;
      else if (line.startsWith('-')) removed++;
    }
  }
  return { added, removed };
}
