declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it';

  const footnotes: (parser: MarkdownIt) => void;
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it.
  export default footnotes;
}
