import { expect, test } from 'vitest';
import { CancelledError, InputError } from '#src/domain/errors.ts';
import { recordedModel } from '#src/model/recorded-model.ts';
import { recordingModel } from '#src/model/recording-model.ts';
import { chatRequest } from '../fakes/chat-request.ts';
import { callingTool, modelSaying, scriptedModel } from '../fakes/scripted-model.ts';
import { testClock } from '../fakes/test-clock.ts';
import { neverAborted, rejection } from './model-at-server.ts';

const clock = testClock();

/** The lines of a run with these requests. */
async function record(...requests: Parameters<typeof chatRequest>[0][]): Promise<string[]> {
  const lines: string[] = [];
  const inner = scriptedModel((request) => ({ text: `${request.agent} ${request.step}`, usd: request.step / 1000 }));
  const model = recordingModel(inner, async (line) => void lines.push(line), clock);
  for (const request of requests) await model.complete(chatRequest(request), neverAborted);
  return lines;
}

test('plays back, in any order, exactly what was recorded', async () => {
  const lines: string[] = [];
  const inner = modelSaying(
    { ...callingTool('shell', { command: 'ls' }), providerState: { items: [1] }, reasoned: true, dropped: ['topP'] },
    { text: 'done', usd: undefined },
  );
  const recording = recordingModel(inner, async (line) => void lines.push(line), clock);
  const first = await recording.complete(chatRequest({ step: 1 }), neverAborted);
  const second = await recording.complete(chatRequest({ step: 2 }), neverAborted);
  const played = recordedModel(lines, { clock });
  expect(await played.complete(chatRequest({ step: 2 }), neverAborted)).toEqual(second);
  expect(await played.complete(chatRequest({ step: 1 }), neverAborted)).toEqual(first);
});

test('keeps each reply on one line, and has it kept before the run goes on', async () => {
  const kept: string[] = [];
  let goOn = () => {};
  const append = (line: string) =>
    new Promise<void>((resolve) => {
      kept.push(line);
      goOn = resolve;
    });
  const model = recordingModel(modelSaying({ text: 'two\nlines' }), append, clock);
  let replied = false;
  const call = model.complete(chatRequest(), neverAborted).then(() => (replied = true));
  while (kept.length === 0) await new Promise(setImmediate);
  expect(replied).toBe(false);
  goOn();
  await call;
  expect(kept[0]).not.toContain('\n');
  expect(JSON.parse(kept[0] ?? '')).toMatchObject({ role: 'answerer', agent: 'answerer-1', step: 1, seconds: 0 });
});

test('tells agents of the same role apart, and plays the last of what was asked twice', async () => {
  const lines = await record({ agent: 'answerer-1' }, { agent: 'answerer-2' });
  const again = JSON.stringify({
    ...JSON.parse(lines[0] ?? ''),
    reply: { ...JSON.parse(lines[0] ?? '').reply, text: 'again' },
  });
  const model = recordedModel([...lines, '', again], { clock });
  expect((await model.complete(chatRequest({ agent: 'answerer-2' }), neverAborted)).text).toBe('answerer-2 1');
  expect((await model.complete(chatRequest({ agent: 'answerer-1' }), neverAborted)).text).toBe('again');
});

test('says once for each role that its prompts are no longer those of the recording, and plays on', async () => {
  const lines = await record({ step: 1 }, { step: 2 }, { role: 'resolver', agent: 'resolver' });
  const stale: string[] = [];
  const model = recordedModel(lines, { clock, onStale: (role) => stale.push(role) });
  await model.complete(chatRequest({ step: 1, promptHash: 'prompts-2' }), neverAborted);
  await model.complete(chatRequest({ step: 2, promptHash: 'prompts-2' }), neverAborted);
  await model.complete(chatRequest({ role: 'resolver', agent: 'resolver' }), neverAborted);
  expect(stale).toEqual(['answerer']);
});

test('a step that was not recorded ends with what is missing and what to do', async () => {
  const model = recordedModel(await record({ step: 1 }), { clock, name: 'demo.jsonl' });
  expect(await rejection(model.complete(chatRequest({ step: 2 }), neverAborted))).toMatchObject({
    failure: 'recording-ended',
    message: 'demo.jsonl has no reply for step 2 of answerer-1',
    remedy: expect.stringContaining('record the run again'),
  });
});

test('says that it is a recording', () => {
  const model = recordedModel([], { clock, name: 'demo.jsonl' });
  expect(model.describe()).toEqual({ api: 'recorded', address: 'demo.jsonl', recorded: true });
});

test('a line that is no recorded reply is named by its number', async () => {
  const good = await record({ step: 1 });
  const open = () => recordedModel([...good, '{"role":"answerer"', '{"role":"poet"}'], { clock });
  expect(open).toThrow(InputError);
  expect(open).toThrow(/line 2[\s\S]*line 3/);
});

test('plays as fast as asked for, and stops when told to', async () => {
  const lines: string[] = [];
  const slow = testClock();
  const inner = scriptedModel(() => {
    slow.advance(30_000);
    return { text: 'ok' };
  });
  await recordingModel(inner, async (line) => void lines.push(line), slow).complete(chatRequest(), neverAborted);
  const model = recordedModel(lines, { clock: slow, speed: 10 });
  const stop = new AbortController();
  const call = rejection(model.complete(chatRequest(), stop.signal));
  expect(slow.sleeps).toEqual([3_000]);
  stop.abort();
  expect(await call).toBeInstanceOf(CancelledError);
});

test('a recording that cannot be written fails the call', async () => {
  const model = recordingModel(modelSaying({ text: 'ok' }), () => Promise.reject(new Error('disk full')), clock);
  await expect(model.complete(chatRequest(), neverAborted)).rejects.toThrow('disk full');
});
