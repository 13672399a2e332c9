import { isProgram } from '../../repository/file-kind.ts';

const TEXT_ENDINGS = new Set(['txt', 'rst', 'md', 'cfg', 'toml', 'ini', 'yml', 'yaml', 'json', 'html', 'xml']);

/**
 * Takes out of an issue what names a place: file paths, modules of the repository's package, links, and the
 * repository's own name (SHERLOC §4.3 and appendix E, where file paths and repository names are masked). `repo` is
 * `owner/name`. Works token by token, in time linear in the text.
 */
export function maskIssue(text: string, repo: string): string {
  const [owner = '', name = ''] = repo.toLowerCase().split('/');
  const names = new Set([repo.toLowerCase(), name, name.replaceAll('-', '_'), owner]);
  const packages = new Set([name, name.replaceAll('-', '_'), name.replace(/^python-/, '')]);
  return text.replaceAll(/[\w./\\:~@#-]+/g, (token) => {
    const end = token.length - trailing(token);
    const core = token.slice(0, end);
    const mask = maskOf(core, names, packages);
    return mask === undefined ? token : mask + token.slice(end);
  });
}

function maskOf(token: string, names: Set<string>, packages: Set<string>): string | undefined {
  if (token.includes('://')) return '[URL]';
  const withoutLine = token.replace(/:\d+$/, '');
  if (isPath(withoutLine)) return '[PATH]';
  const parts = withoutLine.toLowerCase().split('.');
  if (parts.length > 1 && packages.has(parts[0] ?? '')) return '[MODULE]';
  return names.has(withoutLine.toLowerCase()) ? '[REPOSITORY]' : undefined;
}

function isPath(token: string): boolean {
  const segments = token.split(/[/\\]/);
  const last = segments.at(-1) ?? '';
  const dot = last.lastIndexOf('.');
  if (dot > 0 && (isProgram(last) || TEXT_ENDINGS.has(last.slice(dot + 1).toLowerCase()))) return true;
  return segments.length > 2 && segments.filter((segment) => /^[\w.~-]+$/.test(segment)).length > 1;
}

function trailing(token: string): number {
  let count = 0;
  while (count < token.length && '.:-@#'.includes(token[token.length - 1 - count] as string)) count++;
  return count;
}
