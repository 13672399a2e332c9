import type { CheckedCitation, Citation } from '../domain/citation.ts';
import type { CheckedLocation } from '../domain/diagnosis.ts';
import type { Location, Suspect } from '../domain/finding.ts';

/** `text` is what a model reads; the other fields are for code. Every answer is bounded in size. */
export interface TreeView {
  text: string;
  /** Source files of the repository, and how many of them `text` names. */
  files: number;
  shown: number;
}

/** Lines are 1-based and inclusive. */
export interface LineRange {
  startLine: number;
  endLine: number;
}

export interface ViewOptions {
  withoutImportsOf?: string[];
}

export interface FileView {
  text: string;
  kind: 'file' | 'directory' | 'unreadable' | 'not-found';
  /** What was opened: may differ from what was asked for when the correction was unambiguous. */
  path?: string;
  range?: LineRange;
  totalLines?: number;
  suggestions: string[];
}

export interface SearchResult {
  text: string;
  /** Files, and lines that hold the text, in the whole repository, shown or not. */
  files: number;
  matches: number;
  shownFiles: number;
  /** False when the search was stopped by its time or size limit, so that the counts are lower bounds. */
  complete: boolean;
  /** The lines that `text` shows. */
  shown: (LineRange & { path: string })[];
}

export interface Connections {
  text: string;
  path?: string;
  /** Paths in the repository, at most 2000 of each kind; a path that ends in "/" is a package folder. */
  imports: string[];
  importedBy: string[];
  /** Imports that lead nowhere in this repository: other packages, or generated and missing modules. */
  unresolved: string[];
}

export interface Definition extends LineRange {
  name: string;
  kind: string;
  /** 0 for a definition that stands in no other. */
  depth: number;
}

export interface Outline {
  text: string;
  path?: string;
  definitions: Definition[];
  by: 'tree-sitter' | 'scanner' | 'none';
}

/**
 * A checkout that is read and never written. Every call may be made at any time and in parallel; it runs in a child
 * process and never follows a link. @throws RepositoryError when a call outlasts its time or the tree cannot be read.
 */
export interface Repository {
  /**
   * SHERLOC's repo_tree (§3.1): the source files with their numbers of lines, within `maxTokens` (estimated high). Folders
   * that lead to the files `near` are opened first.
   */
  tree(options?: { maxTokens?: number; near?: string[] }): Promise<TreeView>;
  /**
   * SHERLOC's view_file: numbered lines with imports and importers; a near miss of a path is corrected or answered. Of
   * files in `withoutImportsOf` (paths as they were opened) the lines alone.
   */
  view(path: string, range?: LineRange, options?: ViewOptions): Promise<FileView>;
  /** SHERLOC's codebase_search: one line of literal text, whatever its case, in windows of 20 lines. */
  search(query: string, options?: { path?: string }): Promise<SearchResult>;
  /** SHERLOC's connected_tree: what a file imports and what imports it; without a path, an overview. */
  connected(path?: string): Promise<Connections>;
  /** The definitions of a file with their lines. */
  outline(path: string): Promise<Outline>;
  /** Files that resemble the issue's words, best first. Lexical: no model, and no diagnosis. */
  rank(issueText: string, limit: number): Promise<Suspect[]>;
  /** Whether a citation holds at the base commit. Of the four kinds only `repository` can be checked here. */
  checkCitation(citation: Citation): Promise<CheckedCitation>;
  checkLocation(location: Location): Promise<CheckedLocation>;
  /** Markdown of the issue templates: comments that an issue has from them were not hidden by its author. */
  issueTemplates(): Promise<string[]>;
  close(): Promise<void>;
}
