import { expect, test } from 'vitest';
import { CancelledError, ModelError } from '#src/domain/errors.ts';
import type { ChatReply } from '#src/domain/ports/index.ts';
import { PROBE_TOOL, probeModel } from '#src/model/probe-model.ts';
import { loadPrompts } from '#src/prompts/load-prompts.ts';
import { answering, type ServedAnswer } from '../fakes/chat-server.ts';
import { callingTool, modelSaying } from '../fakes/scripted-model.ts';
import { bothApis, modelAtServer, neverAborted } from './model-at-server.ts';

const prompts = loadPrompts(new URL('../../prompts', import.meta.url).pathname);
const prompt = { text: prompts.render('doctor/probe', { tool: PROBE_TOOL }), hash: prompts.hash('doctor') };
const settings = { model: 'gpt-5.1', reasoningEffort: 'low' as const };
const probe = (reply: Partial<ChatReply> | Error) => probeModel(modelSaying(reply), settings, prompt, neverAborted);

for (const api of bothApis) {
  test(`${api}: a model that reasons and calls the tool has no problems`, async () => {
    const good = { reasoning: '16 * 23 + 11', toolCalls: [{ name: PROBE_TOOL, arguments: { total: 379 } }] };
    const { model, server } = await modelAtServer(api, answering(good));
    const found = await probeModel(model, settings, prompt, neverAborted);
    expect(found).toEqual({ callsTools: true, reasons: true, dropped: [], problems: [], usd: expect.any(Number) });
    expect(server.requests[0]?.tools).toEqual([PROBE_TOOL]);
    expect(server.requests[0]?.text).toContain(PROBE_TOOL);
  });
}

const failing: [string, ServedAnswer][] = [
  ['unauthorized', { status: 401, json: { error: { code: 'invalid_api_key', message: 'no' } } }],
  ['unknown-model', { status: 404, json: { error: { code: 'model_not_found', message: 'no' } } }],
  ['no-tools', { status: 400, json: { error: { param: 'tools', message: 'no' } } }],
  ['invalid-reply', { fault: 'html' }],
];

test.each(failing)('a model that fails as %s is a value with the remedy', async (failure, answer) => {
  const { model } = await modelAtServer('chat', answering(answer));
  const found = await probeModel(model, settings, prompt, neverAborted);
  expect(found).toMatchObject({ failure, callsTools: false, reasons: false });
  expect(found.problems).toEqual([
    { message: expect.stringContaining('gpt-5.1'), remedy: expect.stringMatching(/\w/), fatal: failure !== 'no-tools' },
  ]);
});

test('an address with nobody behind it is a value with the remedy', async () => {
  const { model, server } = await modelAtServer('chat', answering({}));
  await server.close();
  expect(await probeModel(model, settings, prompt, neverAborted)).toMatchObject({
    failure: 'unreachable',
    problems: [{ fatal: true }],
  });
});

test.each([
  ['writes the answer instead', { text: 'There are 379 screws.', reasoned: true }],
  ['calls another tool', { ...callingTool('shell', {}), reasoned: true }],
  [
    'calls with arguments that are no JSON',
    { toolCalls: [{ id: '1', name: PROBE_TOOL, arguments: '{"total"' }], reasoned: true },
  ],
  ['calls without the argument', { ...callingTool(PROBE_TOOL, {}), reasoned: true }],
])('a model that %s does not call tools', async (_, reply) => {
  const found = await probe(reply);
  expect(found.callsTools).toBe(false);
  expect(found.problems).toHaveLength(1);
});

test('says what is weaker than it should be: no reasoning, no price, a refused setting', async () => {
  const found = await probe({
    ...callingTool(PROBE_TOOL, { total: 379 }),
    usd: undefined,
    dropped: ['reasoningEffort'],
  });
  expect(found).toMatchObject({ callsTools: true, reasons: false, dropped: ['reasoningEffort'] });
  expect(found.usd).toBeUndefined();
  expect(found.problems.map((problem) => problem.fatal)).toEqual([false, false, false]);
});

test('a model that never comes to the call is told from one that cannot call', async () => {
  const found = await probe({ text: '', finish: 'length', reasoned: true });
  expect(found.problems[0]?.message).toContain('without coming to the tool call');
});

test('what is no failure of the model is thrown', async () => {
  await expect(probe(new CancelledError('@alice'))).rejects.toBeInstanceOf(CancelledError);
  await expect(probe(new ModelError('refused', 'm', 'r'))).resolves.toMatchObject({ failure: 'refused' });
});
