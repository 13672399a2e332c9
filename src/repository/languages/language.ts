import type { Syntax } from './mask.ts';

/** One import as written: a module and, where the language has them, the names taken from it. */
export interface ImportStatement {
  module: string;
  names: string[];
  /** True where a file says what it is itself part of: `package a.b;`. It leads nowhere. */
  declares?: boolean;
}

/** What a resolver may ask about the checkout. Paths are relative, with "/"; folders end in "/" and the root is "". */
export interface Project {
  readonly files: readonly string[];
  has(path: string): boolean;
  /** Names in a folder, folders ending in "/"; undefined where there is no such folder. */
  folder(path: string): readonly string[] | undefined;
  /** Text of a small file; undefined for anything else. */
  text(path: string): string | undefined;
  /** Imports of a file that was scanned, for languages whose files declare their own package. */
  statements(path: string): readonly ImportStatement[];
}

/** Finds what an import written in `from` leads to: files, or folders ending in "/". Empty when it leads outside. */
export type Resolve = (statement: ImportStatement, from: string) => string[];

/** A definition as one line shows it. */
export interface LineDefinition {
  name: string;
  kind: string;
}

export interface Language {
  name: string;
  /** Lower case, without the dot. */
  extensions: readonly string[];
  syntax: Syntax;
  /** Name of its tree-sitter grammar. */
  grammar?: string;
  /** How a definition ends: with its indentation, its braces, or the word `end`. */
  blocks: 'indent' | 'braces' | 'end';
  /** What a line of masked code defines. Used without a grammar, and to tell a definition from a use. */
  definition(line: string): LineDefinition | undefined;
  /** `code` is masked: comments and the contents of strings are blank; `source` is the same length, unmasked. */
  imports?(code: string, source: string): ImportStatement[];
  resolver?(project: Project): Resolve;
}
