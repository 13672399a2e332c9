import { describe, expect, it } from 'vitest';
import type { CheckedCitation } from '#src/domain/citation.ts';
import { uncitedClaims } from '#src/pipeline/check-claims.ts';
import { placesIn } from '#src/pipeline/places-in-text.ts';

const cited: CheckedCitation[] = [
  {
    citation: { kind: 'repository', path: 'src/router.go', symbol: 'Router.resolve', startLine: 3, endLine: 9 },
    verdict: 'confirmed',
  },
  { citation: { kind: 'observation', command: 'go test ./...', output: 'FAIL TestSlash' }, verdict: 'confirmed' },
  {
    citation: { kind: 'repository', path: 'src/ghost.go', symbol: 'spook', startLine: 1, endLine: 1 },
    verdict: 'struck',
  },
];
const lines = '4: func (r *Router) resolve(path string) Handler { return r.first(path) }';

describe('statements in an answer', () => {
  it.each([
    ['a place', 'It calls `unheard` there (`src/unheard.go:3`).'],
    ['the symbol of a citation', '`resolve()` returns the first match.'],
    ['something that stands in the cited lines', 'It hands on what `first` gives.'],
    ['what a cited command printed', '`TestSlash` fails.'],
    ['no code', 'That is why the slash is lost.'],
  ])('with %s are covered', (_, text) => {
    expect(uncitedClaims(text, cited, lines)).toEqual([]);
  });

  it.each([
    ['code that no citation holds', '`Cache.evict` drops it after an hour.'],
    ['only what was struck', 'Then `spook` is called.'],
  ])('with %s are marked', (_, text) => {
    expect(uncitedClaims(text, cited, lines)).toEqual([text]);
  });

  it('are looked at one by one, and code blocks are not statements', () => {
    const text =
      '`resolve` is first.\n\n- `evict` drops it.\n- `resolve` again.\n\n```go\nx := `raw`\n```\n\n# `Heading`';
    expect(uncitedClaims(text, cited, lines)).toEqual(['- `evict` drops it.']);
  });

  it('are bounded in number and length', () => {
    const claims = uncitedClaims(`- \`evict${'x'.repeat(500)}\` drops it.\n`.repeat(100), cited, lines);
    expect(claims.length).toBeLessThanOrEqual(6);
    expect(claims.every((claim) => claim.length <= 202)).toBe(true);
  });
});

describe('places in a text', () => {
  it('are read as they are written', () => {
    const text = 'See `src/a.ts:3-7`, (lib/b.py:12), Makefile.am:L3-L5. and src/a.ts:3-7 again.';
    expect(placesIn(text)).toEqual([
      { path: 'src/a.ts', startLine: 3, endLine: 7 },
      { path: 'lib/b.py', startLine: 12, endLine: 12 },
      { path: 'Makefile.am', startLine: 3, endLine: 5 },
    ]);
  });

  it.each([
    'at 12:30',
    'http://localhost.test:8080',
    'note: 3',
    'v1.2:3:4',
    '10.0.0.1:80',
    'a.b:0',
    `${'x/'.repeat(400)}a.py:1`,
  ])('are not %s', (text) => {
    expect(placesIn(text)).toEqual([]);
  });

  it('are found in time in a text that has none', () => {
    expect(placesIn('a.b:'.repeat(100_000))).toEqual([]);
    expect(placesIn('/'.repeat(1_000_000))).toEqual([]);
  });
});
