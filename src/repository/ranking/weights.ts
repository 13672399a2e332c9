/**
 * How much each feature counts for a file, all features being between 0 and about 2. Given by
 * `npm run eval:ranker -- --fit`; docs/ranking.md tells how, on which issues, and what they are worth.
 */
export const WEIGHTS = {
  /** BM25 of the three best chunks (1, 1/2, 1/3), relative to the best file. */
  chunks: 1.33,
  /** The same for the title alone. */
  titleChunk: 1.46,
  /** BM25 of the best three definitions' names, decorators and first lines alone, by the text and by the title. */
  head: 1.27,
  titleHead: 1.12,
  /** BM25 of the whole file, relative to the best file. */
  wholeFile: 1.33,
  /** Share of the identifiers that occur in the file, rare ones counting more. */
  identifiers: 0.99,
  /** Definitions of names that the issue uses, shared among all files that define them. */
  defines: 0.5,
  definesTicked: 0.77,
  definesTitle: 0.69,
  /** A decorator over a definition names it with a word of the title. */
  decorated: 1.08,
  /** A path of the issue ends in this file's path. */
  path: 2.03,
  /** Only the file's name is the same. */
  fileName: 1.07,
  frame: 1.01,
  innermostFrame: 1.76,
  module: 0.56,
  dottedDefinition: 1.59,
  /** Share of the words of the file's name that the title, or the text, uses. */
  nameInTitle: 0.54,
  nameInText: 0.67,
  /** Three words in a row from an error message or a quotation. */
  phrase: 1.03,
  packageFile: -0.68,
} as const;

export type Feature = keyof typeof WEIGHTS;
