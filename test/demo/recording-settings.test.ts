import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { composeModel } from '#src/cli/compose.ts';
import { loadConfig } from '#src/config.ts';
import { InputError } from '#src/domain/errors.ts';
import { readRecording } from '#src/model/recording.ts';
import { chatRequest } from '../fakes/chat-request.ts';
import { startChatServer } from '../fakes/chat-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'fathom-recording-'));
const never = new AbortController().signal;
const config = (variables: Record<string, string>) => loadConfig({}, folder, variables);

describe('FATHOM_RECORD and FATHOM_PLAYBACK', () => {
  it('what one run recorded speaks in the next, without key or server', async () => {
    const server = await startChatServer(() => ({ text: 'The cache is in src/cache.ts.' }));
    const file = join(folder, 'run.jsonl');
    const model = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.url, FATHOM_MODEL: 'small' };
    const asked = chatRequest({ settings: { model: 'small' } });
    const first = await composeModel(config({ ...model, FATHOM_RECORD: file }))?.complete(asked, never);
    await server.close();
    expect(readRecording(readFileSync(file, 'utf8').split('\n'))).toMatchObject([
      { agent: asked.agent, model: 'small' },
    ]);
    const player = composeModel(config({ FATHOM_PLAYBACK: file }));
    expect(player?.describe()).toMatchObject({ recorded: true, address: 'run.jsonl' });
    expect(await player?.complete(asked, never)).toEqual(first);
  });

  it('a recording wins over a model that is configured as well', () => {
    const file = join(folder, 'empty.jsonl');
    writeFileSync(file, '');
    const model = composeModel(config({ FATHOM_PLAYBACK: file, OPENAI_API_KEY: 'k', FATHOM_MODEL: 'm' }));
    expect(model?.describe().recorded).toBe(true);
  });

  it('prompts that are no longer those of the recording are told of', async () => {
    const call = { role: 'resolver', agent: 'resolver', step: 1, promptHash: 'old', seconds: 1, reply };
    const file = join(folder, 'stale.jsonl');
    writeFileSync(file, JSON.stringify(call));
    const told: string[] = [];
    const model = composeModel(config({ FATHOM_PLAYBACK: file }), (text) => told.push(text));
    await model?.complete(chatRequest({ role: 'resolver', agent: 'resolver' }), never);
    expect(told).toEqual([expect.stringContaining('resolver')]);
  });

  it.each([
    ['both at once', { FATHOM_RECORD: 'a', FATHOM_PLAYBACK: 'b' }, 'both set'],
    ['recording without a model', { FATHOM_RECORD: 'a' }, 'no model'],
  ])('%s is refused', (_name, variables, words) => {
    expect(() => config(variables)).toThrow(InputError);
    expect(() => config(variables)).toThrow(words);
  });

  it('a recording that cannot be read is named', () => {
    expect(() => composeModel(config({ FATHOM_PLAYBACK: '/nowhere/run.jsonl' }))).toThrow('/nowhere/run.jsonl');
  });
});

it('an operator with a slow model gives calls, agents and runs more time', () => {
  const slow = { FATHOM_RUN_SECONDS: '40000', FATHOM_AGENT_SECONDS: '30000', FATHOM_CALL_SECONDS: '20000' };
  const { model, settings } = config({ OPENAI_API_KEY: 'k', FATHOM_MODEL: 'm', ...slow });
  expect(model?.callSeconds).toBe(20_000);
  expect(settings.seconds).toBe(40_000);
  expect(Object.values(settings.roles).map((role) => role.limits.seconds)).toEqual(Array(5).fill(30_000));
});

const reply = {
  text: 'Done.',
  toolCalls: [],
  finish: 'stop',
  usage: { input: 1, cached: 0, output: 1, reasoning: 0 },
  reasoned: false,
  dropped: [],
};
