import { describe, expect, it } from 'vitest';
import type { RunEvent, RunEventBody } from '../../src/domain/run-events.ts';
import { describeEvent } from '../../src/report/describe-event.ts';
import { renderFailure, renderStopped } from '../../src/report/render-ends.ts';
import { renderProgress, renderWaiting } from '../../src/report/render-progress.ts';
import { receipt } from './fixtures.ts';

const { spent } = receipt;
const at = (event: RunEventBody): RunEvent => ({ at: '2026-11-30T12:00:00Z', ...event });
const line = (event: RunEventBody): string | undefined => describeEvent(at(event));

describe('the progress comment', () => {
  const events = [
    at({ type: 'run-started', mode: 'diagnose', title: 't' }),
    at({ type: 'stage-started', stage: 'prepare' }),
    at({ type: 'stage-finished', stage: 'prepare', seconds: 4.21, resumed: false }),
    at({ type: 'stage-finished', stage: 'ask', seconds: 0, resumed: true }),
    at({ type: 'stage-started', stage: 'answer' }),
    at({ type: 'agent-step', role: 'answerer', agent: 'answerer-1', step: 3, limit: 150, doing: 'rg "a`b"', spent }),
    at({ type: 'agent-step', role: 'localizer', agent: 'localizer', step: 2, limit: 20, doing: 'view_file', spent }),
    at({ type: 'agent-finished', role: 'localizer', agent: 'localizer', end: 'submitted', steps: 3, spent }),
  ];

  it('says which stages are done, what goes on and what was spent', () => {
    expect(renderProgress(events)).toBe(
      [
        '**Fathom is reading the code.** The result will come as a new comment, and this one will go.',
        [
          '- ✓ clone and read the issue (4.2 s)',
          '- ✓ ask questions about the code (kept from before)',
          '- **→ answer them and localize the fault**',
          '- check every citation',
          '- write the diagnosis',
        ].join('\n'),
        'answerer-1: step 3 of at most 150, ``rg "a`b"``',
        '<sub>$0.06 so far. Remove the label or close the issue to stop it.</sub>',
      ].join('\n\n'),
    );
  });

  it('counts tokens in place of money where no price is known', () => {
    const unpriced = { ...spent, usd: 0, unpriced: spent.calls };
    const step = {
      type: 'agent-step',
      role: 'localizer',
      agent: 'localizer',
      step: 2,
      limit: 20,
      doing: 'ls',
    } as const;
    expect(renderProgress([at({ ...step, spent: unpriced })])).toContain('<sub>41k tokens so far. ');
    const priced = at({ ...step, agent: 'answerer-1', spent });
    expect(renderProgress([priced, at({ ...step, spent: unpriced })])).toContain('<sub>over $0.03 so far. ');
  });

  it('says the place in the queue while the run waits for its turn', () => {
    expect(renderWaiting(12)).toMatch(/^\*\*Waiting for its turn\*\*: number 12 in the queue\./);
  });

  it('shows the stages of a repair where there will be one', () => {
    expect(renderProgress([at({ type: 'run-started', mode: 'resolve', title: 't' })])).toContain(
      '- open a pull request',
    );
    expect(renderProgress([])).not.toContain('pull request');
  });
});

describe('lines for a terminal', () => {
  it.each<[RunEventBody, string | undefined]>([
    [{ type: 'run-started', mode: 'diagnose', title: 'Lost\ncharacters' }, 'Diagnosing: Lost characters'],
    [{ type: 'stage-started', stage: 'audit' }, 'audit: check every citation'],
    [{ type: 'stage-finished', stage: 'audit', seconds: 112, resumed: false }, 'audit: done in 1 min 52 s'],
    [{ type: 'stage-finished', stage: 'audit', seconds: 1, resumed: true }, 'audit: kept from before'],
    [
      { type: 'question-asked', question: { id: 'Q1', category: 'Design & Usage', text: 'Who?' } },
      '  Q1 · Design & Usage · Who?',
    ],
    [{ type: 'agent-started', role: 'answerer', agent: 'answerer-1' }, undefined],
    [
      { type: 'agent-step', role: 'answerer', agent: 'answerer-1', step: 3, limit: 150, doing: 'ls', spent },
      '  answerer-1 3/150 · 41k tokens, $0.03 · ls',
    ],
    [
      { type: 'agent-finished', role: 'answerer', agent: 'answerer-1', end: 'cost-limit', steps: 1, spent },
      '  answerer-1: it ran out of budget after 1 step, 41k tokens, $0.03',
    ],
    [
      { type: 'run-finished', end: { kind: 'diagnosed' }, spent: { ...spent, usd: 0, unpriced: spent.calls } },
      'Diagnosed (41k tokens)',
    ],
    [
      { type: 'run-finished', end: { kind: 'diagnosed' }, spent: { ...spent, unpriced: 1 } },
      'Diagnosed (41k tokens, over $0.03)',
    ],
    [{ type: 'note', text: 'no history' }, '  ! no history'],
    [{ type: 'run-finished', end: { kind: 'diagnosed' }, spent }, 'Diagnosed (41k tokens, $0.03)'],
    [
      { type: 'run-finished', end: { kind: 'repaired', proven: false }, spent },
      'Repaired, but not proven (41k tokens, $0.03)',
    ],
    [{ type: 'run-finished', end: { kind: 'stopped', by: 'alice' }, spent }, 'Stopped by alice (41k tokens, $0.03)'],
    [
      { type: 'run-finished', end: { kind: 'proposed', pullRequest: 7 }, spent },
      'Opened pull request #7 (41k tokens, $0.03)',
    ],
  ])('%j', (event, expected) => {
    expect(line(event)).toBe(expected);
  });
});

describe('the other ends', () => {
  it('says who stopped it', () => {
    expect(renderStopped({ by: '@alice' })).toBe('**Stopped** by `@alice`. Nothing more will be written.');
  });

  it('says what is wrong and what helps', () => {
    expect(renderFailure({ code: 'sandbox', message: 'no engine', remedy: 'Start it.', run: '7f3a' })).toBe(
      '**Fathom could not finish:** no engine\n\n**What helps:** Start it.\n\nReason `sandbox`, run `7f3a`.',
    );
  });
});
