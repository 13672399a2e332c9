import type { LinkTo } from '../report/places.ts';

/** Addresses of lines at a commit, in the repository that the issue's address lies in. */
export function permalinks(issueUrl: string | undefined, base: string): LinkTo {
  const repository = /^(https?:\/\/[^\s?#]+)\/issues\/\d+$/.exec(issueUrl ?? '')?.[1];
  if (repository === undefined) return () => undefined;
  return ({ path, startLine, endLine }) => {
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    const last = endLine > startLine ? `-L${endLine}` : '';
    return `${repository}/blob/${base}/${encoded}${isRendered(path) ? '?plain=1' : ''}#L${startLine}${last}`;
  };
}

/** GitHub shows these as documents or pictures, in which lines have no address, unless it is asked for the plain text. */
const RENDERED = [
  'md',
  'markdown',
  'mdx',
  'rst',
  'adoc',
  'asciidoc',
  'org',
  'textile',
  'rdoc',
  'ipynb',
  'csv',
  'tsv',
  'svg',
];

const isRendered = (path: string): boolean => RENDERED.includes(path.split('.').at(-1)?.toLowerCase() ?? '');
