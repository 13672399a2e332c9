/** What folders of one kind may take together, and which of them may go. */
export interface FolderCap {
  bytes: number;
  /** False for what is or may be in use, by its folder's name and when it was last used (milliseconds since 1970). */
  isUnused(name: string, usedAt: number): boolean;
}

export interface FolderUse {
  /** What is left takes. */
  bytes: number;
  removed: number;
}
