import { parse } from 'yaml';
import { z } from 'zod';

const FrontMatter = z.strictObject({
  /** Values that are ours: numbers, names of tools, rendered parts. */
  variables: z.array(z.string()).default([]),
  /** Values that somebody else wrote; these may be printed through the `untrusted` filter only. */
  untrusted: z.array(z.string()).default([]),
});

/** A prompt as it lies on disk: what it needs, and its Liquid text. */
export interface PromptFile {
  name: string;
  variables: string[];
  untrusted: string[];
  body: string;
}

/** Splits front matter from body. @throws Error saying what is wrong with the front matter. */
export function parsePromptFile(name: string, source: string): PromptFile {
  const text = source.replaceAll('\r\n', '\n');
  const end = text.startsWith('---\n') ? text.indexOf('\n---\n', 3) : -1;
  if (end < 0) throw new Error('has no front matter between two lines of ---');
  const front = FrontMatter.parse(parse(text.slice(4, end + 1)) ?? {});
  return { name, ...front, body: text.slice(end + 5).trim() };
}

/** Says where a prompt prints an untrusted value without its block, or hands it to a tag that could print it. */
export function unguardedUses(prompt: PromptFile): string[] {
  const uses = expressions(prompt.body).filter((use) => prompt.untrusted.some((name) => mentions(use.text, name)));
  return uses.filter((use) => !isGuarded(use)).map((use) => use.text);
}

interface Expression {
  kind: 'output' | 'tag';
  text: string;
}

function expressions(body: string): Expression[] {
  const outputs = body.split('{{').slice(1);
  const tags = body.split('{%').slice(1);
  return [
    ...outputs.map((part): Expression => ({ kind: 'output', text: part.split('}}')[0] ?? '' })),
    ...tags.map((part): Expression => ({ kind: 'tag', text: part.split('%}')[0] ?? '' })),
  ];
}

const mentions = (text: string, name: string): boolean => text.split(/[^\w]/).includes(name);

function isGuarded(use: Expression): boolean {
  if (use.kind === 'tag')
    return ['if', 'elsif', 'unless'].includes(use.text.replaceAll('-', ' ').trim().split(' ')[0] ?? '');
  const filters = use.text.split('|').slice(1);
  return filters.length === 1 && (filters[0] ?? '').trim().startsWith('untrusted:');
}
