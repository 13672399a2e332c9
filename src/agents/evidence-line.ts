import type { CheckedCitation, Citation } from '../domain/citation.ts';

/** One citation as a line of evidence for a prompt; marked where nothing could check it. */
export function evidenceLine({ citation, verdict }: CheckedCitation): string {
  const mark = verdict === 'unchecked' ? ' (not checked)' : '';
  if (citation.kind !== 'observation') return `${evidenceName(citation)}${mark}`;
  return [`command${mark}:`, indented(citation.command), 'gave:', indented(citation.output)].join('\n  ');
}

/** Lines of their own within the list's item, so that output is not taken for what somebody says. */
const indented = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n  ');

/** What a citation points at, without what it says there. */
export function evidenceName(citation: Citation): string {
  switch (citation.kind) {
    case 'repository':
      return `${spanName(citation.path, citation)}${named(citation.symbol)}`;
    case 'dependency': {
      const { package: name, version, path } = citation;
      const where = path === undefined ? [] : [spanName(path, citation)];
      return `dependency ${[name, version, ...where].filter(Boolean).join(' ')}${named(citation.symbol)}`;
    }
    case 'observation':
      return `command ${citation.command}`;
    case 'standard':
      return `standard ${citation.name}`;
  }
}

/** `path:3-7`, or the path alone where no lines are known. */
export function spanName(path: string, span: { startLine?: number | undefined; endLine?: number | undefined }): string {
  return span.startLine === undefined ? path : `${path}:${span.startLine}-${span.endLine ?? span.startLine}`;
}

const named = (symbol: string | undefined): string => (symbol ? ` ${symbol}` : '');
