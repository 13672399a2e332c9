import type { Location } from '../domain/finding.ts';

/** What a model reads of an answer; implementations may say more in other fields. */
export interface Readable {
  text: string;
}

interface Span {
  startLine: number;
  endLine: number;
}

/**
 * What the Localizer's tools ask of a checkout (SHERLOC §3.2). Every text is bounded in size; a name that does not exist
 * is answered too, with near ones. Implemented by `src/repository`.
 */
export interface RepositoryReader {
  /** The files that are worth reading, with their line counts; the folders of the files `near` are opened first. */
  tree(options?: { maxTokens?: number; near?: string[] }): Promise<Readable>;
  /**
   * A file, or its lines `startLine` to `endLine` (1-based, inclusive), numbered; with what it imports and what imports it,
   * unless its path is in `withoutImportsOf`. Gives the path of what was opened, and the lines that are shown.
   */
  view(
    path: string,
    range?: Span,
    options?: { withoutImportsOf?: string[] },
  ): Promise<Readable & { path?: string; range?: Span }>;
  /** Where a literal string stands, in any case, each hit with the lines around it, which are in `shown` too. */
  search(query: string, options?: { path?: string }): Promise<Readable & { shown?: Location[] }>;
  /** What a file imports and what imports it; without a path, the overview of the repository. */
  connected(path?: string): Promise<Readable>;
}
