import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { diffLines } from '../../scripts/demo/screen/diff.ts';
import { createLiveStages } from '../../scripts/demo/screen/live-stages.ts';
import { blocksOf, markdownLines } from '../../scripts/demo/screen/markdown.ts';
import { createScreen, type Screen } from '../../scripts/demo/screen/screen.ts';
import { tableLines } from '../../scripts/demo/screen/table.ts';

const ESC = '\u001b';

function screenOf(terminal: { isTTY?: boolean; columns?: number } = {}): { screen: Screen; written: () => string } {
  const stream = Object.assign(new PassThrough(), terminal) as unknown as NodeJS.WriteStream;
  const parts: string[] = [];
  stream.on('data', (part: Buffer) => parts.push(part.toString()));
  return { screen: createScreen(stream), written: () => parts.join('') };
}

const shownAs = (markdown: string): string => markdownLines(screenOf().screen, blocksOf(markdown)).join('\n');

describe('what was posted, in a terminal', () => {
  it('shows of a fold its summary, however deep folds are nested', () => {
    const inner = '<details>\n<summary>inner</summary>\n\nhidden\n\n</details>';
    const shown = shownAs(
      `Before.\n\n<details>\n<summary><b>Q1</b> · a &lt; b</summary>\n\n${inner}\n\nhidden\n\n</details>\n\nAfter.`,
    );
    expect(shown).toBe('Before.\n\n▸ Q1 · a < b\n\nAfter.');
  });

  it('obeys nothing that a model or an issue wrote for a terminal', () => {
    const shown = shownAs(`# ${ESC}[2Jgone\n\n- \`rm ${ESC}]0;title\u0007\`\n\n\u202eevil`);
    for (const obeyed of [ESC, '\u0007', '\u202e']) expect(shown).not.toContain(obeyed);
    expect(shown).toContain('gone');
  });

  it('keeps a table within the columns, and loses no word of it', () => {
    const { screen } = screenOf({ columns: 60 });
    const long = 'one two three four five six seven eight nine ten eleven twelve thirteen';
    const lines = tableLines(screen, [{ title: '#' }, { title: 'Why' }, { title: 'How' }], [['1', long, long]]);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(58);
    for (const word of long.split(' ')) expect(lines.join(' ')).toContain(word);
  });

  it('shows of a diff the files and the changed lines', () => {
    const diff = 'diff --git a/x.js b/x.js\nindex 1..2 100644\n--- a/x.js\n+++ b/x.js\n@@ -1 +1 @@\n-old\n+new\n';
    expect(diffLines(screenOf().screen, diff)).toEqual(['x.js', '@@ -1 +1 @@', '-old', '+new']);
  });
});

describe('stages as they go on', () => {
  const at = '2026-11-30T12:00:00Z';
  const step = {
    at,
    type: 'agent-step',
    role: 'resolver',
    agent: 'resolver',
    step: 3,
    limit: 250,
    doing: 'npm test',
  } as const;
  const spent = { tokens: { input: 1, cached: 0, output: 1, reasoning: 0 }, usd: 0, calls: 1, unpriced: 0 };
  const play = (screen: Screen) => {
    const stages = createLiveStages(screen);
    stages.publish({ at, type: 'stage-started', stage: 'resolve' });
    stages.publish({ ...step, spent });
    stages.publish({ at, type: 'stage-finished', stage: 'resolve', seconds: 4, resumed: false });
    stages.end();
  };

  it('where there is no terminal, a stage is one line when it is finished, without colours', () => {
    const { screen, written } = screenOf();
    play(screen);
    expect(written()).not.toContain(ESC);
    expect(written()).toMatch(/✓ resolve +repair the code +4 s\n/);
    expect(written().match(/repair the code/g)).toHaveLength(1);
  });

  it('on a terminal it is seen at work, and is written over when it is finished', () => {
    const { screen, written } = screenOf({ isTTY: true, columns: 80 });
    play(screen);
    const [working = '', finished = ''] = [written().split('✓')[0], written().split('✓')[1]];
    expect(working).toContain('npm test');
    expect(working).toContain(`${ESC}[2A${ESC}[0J`);
    expect(finished).toContain('repair the code');
  });
});
