import { expect, it } from 'vitest';
import { safeBlocks } from '../../src/report/safe-markdown.ts';
import { write } from '../../src/report/write-markdown.ts';
import { asGithubShows } from './as-github-shows.ts';

it.each([
  [
    'powers',
    'pretty(pi**exp(-1)) has no index, x**(1/n) has one',
    'pretty(pi**exp(-1)) has no index, x**(1/n) has one',
  ],
  ['products', 'a*b and c*d', 'a*b and c*d'],
  ['powers of calls', 'f(x)**n or g[0]**m', 'f(x)**n or g[0]**m'],
])('a reader sees %s as they were written', (_, source, expected) => {
  const { tags, prose } = asGithubShows(write(...safeBlocks(source)));
  expect(prose.join('').trim()).toBe(expected);
  expect(tags.filter((tag) => tag === 'strong' || tag === 'em')).toEqual([]);
});

it('words that begin and end with the marks stay bold, at a parenthesis too', () => {
  const { tags, prose } = asGithubShows(write(...safeBlocks('It is **the cause**, see (**here**) and **there**(1).')));
  expect(tags.filter((tag) => tag === 'strong')).toHaveLength(3);
  expect(prose.join('').trim()).toBe('It is the cause, see (here) and there(1).');
});
