import type { Location } from '../../domain/finding.ts';

/** The lines of the repository that a conversation has been shown. */
export class SeenLines {
  private readonly lines = new Map<string, Set<number>>();

  add({ path, startLine, endLine }: Location): void {
    const seen = this.lines.get(path) ?? new Set<number>();
    for (let line = startLine; line <= endLine; line++) seen.add(line);
    this.lines.set(path, seen);
  }

  /** Whether at least half of the span's lines were shown. */
  covers({ path, startLine, endLine }: Location): boolean {
    const seen = this.lines.get(path.replace(/^(?:\.\/)+/, ''));
    let shown = 0;
    for (let line = startLine; line <= endLine; line++) if (seen?.has(line)) shown++;
    return shown * 2 >= endLine - startLine + 1;
  }
}
