import { describe, expect, test } from 'vitest';
import { renderIssue } from '../../src/issue/render-issue.ts';
import { snapshotOf } from './snapshots.ts';

const SIZE = 60_000;
const filled = (piece: string): string => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);

const HOSTILE: Record<string, string> = {
  quotations: filled('>'),
  'nested lists': `${filled('- ')}x`,
  'indented lists': Array.from({ length: 340 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n'),
  brackets: filled('['),
  'half links': filled('[a](b'),
  emphasis: filled('*a **a '),
  blocks: filled('<div>'),
  'bold tags': `${filled('<b>')}x`,
  'misnested tags': filled('<font><p><b><i>'),
  tables: filled('<table><tr><td>'),
  templates: filled('<template>'),
  'backtick runs': Array.from({ length: 340 }, (_, length) => '`'.repeat(length)).join(' '),
  comments: filled('<!-- a -->'),
  'unclosed comments': filled('<!-- a '),
  'zero-width characters on one line': filled('a\u200b'),
  isolates: filled('\u2066a\u2069'),
  'open isolates': filled('\u2066'),
  references: filled('[a]: b\n'),
  footnotes: filled('[^a]: b\n\n'),
  'one long line': filled('word '),
  'a table of one row': `${filled('|a').slice(0, SIZE / 2)}\n${filled('|-').slice(0, SIZE / 2)}`,
  formulas: filled('$\\color{white}'),
};

describe('a hostile issue', () => {
  test.each(Object.entries(HOSTILE))('of %s is rendered within its bounds', { timeout: 10_000 }, (_, body) => {
    const { text, hidden } = renderIssue(snapshotOf(body));
    expect(text.length).toBeLessThanOrEqual(SIZE);
    expect(hidden.length).toBeLessThanOrEqual(100);
    expect(Math.max(0, ...hidden.map(({ preview }) => preview.length))).toBeLessThanOrEqual(200);
  });

  test('longer than what may be read keeps its beginning and its end, and says what is missing', () => {
    const lines = Array.from({ length: 6000 }, (_, number) => `line ${number} of the log`);
    const { text } = renderIssue(
      snapshotOf(`\`\`\`\n${lines.slice(0, 3000).join('\n')}\n\`\`\`\n`, {
        comments: [{ author: 'bob', createdAt: '2025-03-01T11:00:00Z', body: lines.slice(3000, 5800).join('\n') }],
      }),
    );
    expect(text.length).toBeLessThanOrEqual(SIZE);
    expect(text).toContain('line 0 of the log');
    expect(text).toContain('line 5799 of the log');
    expect(text).toMatch(/\[… \d+ characters left out here …\]/);
  });

  test('nested deeper than can be read is said to be so', () => {
    const { hidden } = renderIssue(snapshotOf(`${'> '.repeat(500)}deep`));
    expect(hidden.map(({ kind }) => kind)).toContain('nested too deeply');
  });

  test('with broken characters becomes well-formed text', () => {
    expect(renderIssue(snapshotOf('a\ud800b')).text.isWellFormed()).toBe(true);
  });
});
