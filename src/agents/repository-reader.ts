/** What a model reads of an answer; implementations may say more in other fields. */
export interface Readable {
  text: string;
}

/**
 * What the Localizer's tools ask of a checkout (SHERLOC §3.2). Every text is bounded in size; a name that does not exist
 * is answered too, with near ones. Implemented by `src/repository`.
 */
export interface RepositoryReader {
  /** The files that are worth reading, with their line counts. */
  tree(options?: { maxTokens?: number }): Promise<Readable>;
  /**
   * A file, or its lines `startLine` to `endLine` (1-based, inclusive), numbered; with what it imports and what imports it,
   * unless its path is in `withoutImportsOf`. Gives the path of what was opened.
   */
  view(
    path: string,
    range?: { startLine: number; endLine: number },
    options?: { withoutImportsOf?: string[] },
  ): Promise<Readable & { path?: string }>;
  /** Where a literal string stands, in any case, each hit with the lines around it. */
  search(query: string, options?: { path?: string }): Promise<Readable>;
  /** What a file imports and what imports it; without a path, the overview of the repository. */
  connected(path?: string): Promise<Readable>;
}
