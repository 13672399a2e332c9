/**
 * How a repository is set up and tested. Commands are for bash at the repository's root. `confidence`: `configured` by
 * its maintainer, `declared` by the repository's own files, `guessed` from its layout, `none` where nothing was found.
 */
export interface TestPlan {
  language?: string;
  test?: string;
  /** The command that runs the tests of one file; the path is quoted for the shell. */
  single?: (file: string) => string;
  setup?: string;
  /** There is no set-up since the files that would name something to install are read, and name nothing. */
  needsNothing?: true;
  /** Folders of the repository from which its own code is loaded, by the variable that says so. */
  searchPaths?: Record<string, string>;
  /** Sentences: what each command rests on. */
  sources: string[];
  confidence: 'configured' | 'declared' | 'guessed' | 'none';
  /** SHA-256, in hex, of every file that set-up reads, by path; part of the prepared image's key. */
  inputs: Record<string, string>;
}

/** What one language's files say. */
export interface LanguagePlan {
  language: string;
  test?: string;
  single?: (file: string) => string;
  setup?: string;
  needsNothing?: true;
  searchPaths?: Record<string, string>;
  sources: string[];
  confidence: 'declared' | 'guessed';
  /** Words that name this language's test runners in a continuous integration step. */
  runners: string[];
}

/** A word that bash takes as it is. */
export const quoted = (word: string): string =>
  /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
