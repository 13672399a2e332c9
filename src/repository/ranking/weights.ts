/**
 * How much each feature counts for a file, all features being between 0 and about 2. Set by hand from what is known
 * to matter (field: lexical fault localization), then adjusted by a listwise fit.
 */
export const WEIGHTS = {
  /** BM25 of the three best chunks (1, 1/2, 1/3), relative to the best file. */
  chunks: 4,
  /** The same for the title alone. */
  titleChunk: 1.5,
  /** BM25 of the whole file, relative to the best file. */
  wholeFile: 1.5,
  /** Share of the identifiers that occur in the file, rare ones counting more. */
  identifiers: 2,
  /** Definitions of names that the issue uses, shared among all files that define them. */
  defines: 1,
  definesTicked: 0.8,
  definesTitle: 1,
  /** A path of the issue ends in this file's path. */
  path: 2.5,
  /** Only the file's name is the same. */
  fileName: 1.2,
  frame: 1,
  innermostFrame: 1.5,
  module: 1.2,
  dottedDefinition: 1.5,
  /** Share of the words of the file's name that the title, or the text, uses. */
  nameInTitle: 0.8,
  nameInText: 0.4,
  /** Three words in a row from an error message or a quotation. */
  phrase: 1,
  packageFile: -0.7,
} as const;

export type Feature = keyof typeof WEIGHTS;
