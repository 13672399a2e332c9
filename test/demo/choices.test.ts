import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/domain/errors.ts';
import { chooseSpeaker } from '../../scripts/demo/choose-speaker.ts';
import { readDemoOptions } from '../../scripts/demo/demo-options.ts';
import { tallyOf, totalOf } from '../../scripts/demo/tally.ts';

const folder = mkdtempSync(join(tmpdir(), 'fathom-choices-'));
const model = { OPENAI_API_KEY: 'k', FATHOM_MODEL: 'small', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
const nothing = { record: undefined, play: undefined };

describe('who speaks in the demonstration', () => {
  it('is the configured model, with its settings and no others', () => {
    const variables = {
      ...model,
      FATHOM_QUESTIONS: '1',
      DATABASE_URL: 'postgresql://x',
      FATHOM_DATA: '/d',
      APP_ID: '1',
    };
    const speaker = chooseSpeaker(nothing, folder, variables);
    expect(speaker).toMatchObject({ recorded: false, model: 'small', variables: { ...model, FATHOM_QUESTIONS: '1' } });
    expect(Object.keys(speaker.variables)).toHaveLength(4);
  });

  it('is a recording where one is asked for, whatever is configured, and it is said who was recorded', () => {
    const file = join(folder, 'run.jsonl');
    const usage = { input: 1, cached: 0, output: 1, reasoning: 0 };
    const reply = { text: '', toolCalls: [], finish: 'stop', usage, reasoned: false, dropped: [] };
    const call = { role: 'resolver', agent: 'resolver', step: 1, promptHash: 'h', model: 'large', reply, seconds: 1 };
    writeFileSync(file, JSON.stringify(call));
    const speaker = chooseSpeaker({ ...nothing, play: file }, folder, model);
    expect(speaker).toMatchObject({ recorded: true, model: 'large' });
    expect(speaker.variables).toEqual({ FATHOM_PLAYBACK: file, FATHOM_MODEL: 'large' });
    expect(speaker.about).toContain('recorded run of large');
  });

  it('when it is recorded, may take its time, and does not lose what was recorded before', () => {
    const file = join(folder, 'recordings/new.jsonl');
    const { variables } = chooseSpeaker({ ...nothing, record: file }, folder, { ...model, FATHOM_RUN_SECONDS: '60' });
    expect(variables).toMatchObject({ FATHOM_RECORD: file, FATHOM_AGENT_SECONDS: '86400', FATHOM_RUN_SECONDS: '60' });
    writeFileSync(file, '{}');
    expect(() => chooseSpeaker({ ...nothing, record: file }, folder, model)).toThrow('holds a recording already');
  });

  it('cannot be recorded where no model is configured', () => {
    expect(() => chooseSpeaker({ ...nothing, record: join(folder, 'other.jsonl') }, folder, {})).toThrow(InputError);
  });
});

it('options that are misspelled or contradict each other are answered with the usage', () => {
  expect(readDemoOptions(['--kep'])).toBeUndefined();
  expect(readDemoOptions(['--record', 'a', '--play', 'b'])).toBeUndefined();
  expect(readDemoOptions(['--keep'])).toMatchObject({ keep: true, record: undefined, out: '.fathom/demo' });
});

it('what agents spent is counted for the stage that they work in', () => {
  const at = '';
  const spent = { tokens: { input: 10, cached: 5, output: 2, reasoning: 0 }, usd: 0.5, calls: 1, unpriced: 0 };
  const agent = { at, type: 'agent-finished', end: 'submitted', steps: 1, spent } as const;
  const tallies = tallyOf([
    { ...agent, role: 'localizer', agent: 'localizer' },
    { ...agent, role: 'answerer', agent: 'answerer-Q1' },
    { at, type: 'stage-finished', stage: 'answer', seconds: 3, resumed: false },
    { at, type: 'stage-finished', stage: 'prepare', seconds: 1, resumed: false },
  ]);
  expect(tallies.map(({ stage, spent: { usd } }) => [stage, usd])).toEqual([
    ['prepare', 0],
    ['answer', 1],
  ]);
  expect(totalOf(tallies)).toMatchObject({ seconds: 4, spent: { tokens: { input: 20 }, calls: 2 } });
});
