import type { SourceFiles } from './source-files.ts';

const MAX_TEMPLATES = 20;
const MAX_BYTES = 64 * 1024;

/** The Markdown of the repository's issue templates, wherever GitHub looks for them (GitHub Docs, issue templates). */
export function issueTemplates(source: SourceFiles): string[] {
  const found = [...source.sizes.keys()].filter((file) => PLACES.test(file)).slice(0, MAX_TEMPLATES);
  return found.map((file) => source.bytes(file, MAX_BYTES)?.toString('utf8') ?? '').filter((text) => text !== '');
}

const PLACES = /^(?:\.github\/|docs\/)?issue_template(?:\/[^/]{1,200})?\.md$/i;
