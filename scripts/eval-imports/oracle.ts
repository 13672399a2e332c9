/** What an oracle says of one file. */
export interface Expected {
  /** Of each of these sets of files one must be an edge. */
  must: string[][];
  /** Further edges that are right. */
  allowed: string[];
  /** Imports that the oracle leads nowhere, though they may lead into the repository. */
  open: number;
}

/** What an oracle knows, by file. Files that it cannot parse are not in it. */
export type Oracle = Record<string, Expected>;
