import { describe, expect, it } from 'vitest';
import type { TrajectoryEntry } from '#src/domain/ports/trajectory-store.ts';
import { classifyStep } from '#src/evaluation/scoring/classify-step.ts';
import { phasesOf } from '#src/evaluation/scoring/phases.ts';
import { trajectoryFigures } from '#src/evaluation/scoring/trajectory-figures.ts';
import { LABELLED } from './labelled-steps.ts';

describe('the purpose of a step', () => {
  it.each(LABELLED)('%s %j is for %s', (tool, command, purpose) => {
    expect(classifyStep(tool, { command })).toBe(purpose);
  });

  it('was labelled by hand at least sixty times', () => {
    expect(LABELLED.length).toBeGreaterThanOrEqual(60);
  });

  it('is told in time linear in the command, whatever it holds', () => {
    for (const part of ['"', "'", '<<A\n', '> ', '&', '\\', 'a=1 ', "'a' "]) {
      expect(classifyStep('shell', { command: part.repeat(50_000) })).toBeTypeOf('string');
    }
  });
});

it('testing before the first edit reproduces, and after it verifies', () => {
  expect(phasesOf(['localize', 'make_test', 'run_test', 'repair', 'localize', 'run_test', 'finish'])).toEqual([
    'locate',
    'reproduce',
    'reproduce',
    'fix',
    'locate',
    'verify',
    undefined,
  ]);
});

const at = '2026-01-01T00:00:00Z';
const start: TrajectoryEntry = {
  type: 'start',
  at,
  role: 'resolver',
  agent: 'resolver',
  model: 'm',
  promptHash: 'h',
  tools: ['shell'],
};
const step = (number: number, input: number, cached: number, ...commands: string[]): TrajectoryEntry[] => [
  {
    type: 'call',
    at,
    step: number,
    seconds: 1,
    usage: { input, cached, output: 10, reasoning: 0 },
    usd: 0.5,
    finish: 'tool-calls',
  },
  {
    type: 'message',
    at,
    step: number,
    message: {
      role: 'assistant',
      text: '',
      toolCalls: commands.map((command, index) => ({
        id: `${index}`,
        name: 'shell',
        arguments: JSON.stringify({ command }),
      })),
    },
  },
];

describe('the figures of a transcript', () => {
  const entries = [
    start,
    ...step(1, 100, 0, 'cat a.py', 'ls'),
    ...step(2, 200, 150, 'grep x src/known.py'),
    ...step(3, 300, 250, 'sed -i s/a/b/ a.py'),
    ...step(4, 400, 350, 'pytest'),
  ];

  it('count tokens before the first edit without those of the edit', () => {
    expect(trajectoryFigures(entries, [])).toMatchObject({
      steps: 4,
      actions: 5,
      stepsBeforeEdit: 2,
      tokensBeforeEdit: 320,
      tokens: { fresh: 250, cached: 750, output: 40 },
      usd: 2,
      purposes: { localize: 3, repair: 1, run_test: 1 },
      phases: { locate: 3, fix: 1, verify: 1 },
    });
  });

  it('count the steps that name what was known', () => {
    expect(trajectoryFigures(entries, ['src/known.py'])?.knowledgeSteps).toBe(1);
  });

  it('are those of the last attempt, where an agent was interrupted and started again', () => {
    expect(trajectoryFigures([...entries, start, ...step(1, 7, 0, 'ls')], [])).toMatchObject({ steps: 1, actions: 1 });
  });

  it('are none for a transcript that never began', () => {
    expect(trajectoryFigures([], [])).toBeUndefined();
  });
});
