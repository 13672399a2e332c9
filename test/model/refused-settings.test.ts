import { expect, test } from 'vitest';
import { chatRequest } from '../fakes/chat-request.ts';
import { answering, type ServedRequest } from '../fakes/chat-server.ts';
import { type Api, bothApis, modelAtServer, neverAborted, rejection } from './model-at-server.ts';

const settings = { model: 'gpt-5.1', temperature: 0, topP: 0.95, reasoningEffort: 'high' as const };
const asking = () => chatRequest({ settings });

const refused = (param: string) => ({
  status: 400,
  json: { error: { message: 'no', type: 'invalid_request_error', param, code: 'unsupported_value' } },
});
const reasoningField = (api: Api) => (api === 'chat' ? 'reasoning_effort' : 'reasoning');
const reasoningParam = (api: Api) => (api === 'chat' ? 'reasoning_effort' : 'reasoning.effort');

/** Refuses each of these fields, one after the other, by name. */
const refusing = (fields: [field: string, param: string][]) => (request: ServedRequest) => {
  const first = fields.find(([field]) => field in request.body);
  return first === undefined ? { text: 'ok' } : refused(first[1]);
};

for (const api of bothApis) {
  test(`${api}: leaves out a setting that the model refuses, says so, and does not try it again`, async () => {
    const { model, server } = await modelAtServer(api, refusing([['temperature', 'temperature']]));
    const first = await model.complete(asking(), neverAborted);
    const second = await model.complete(asking(), neverAborted);
    expect([first.dropped, second.dropped]).toEqual([['temperature'], ['temperature']]);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[1]?.body).toMatchObject({ top_p: 0.95 });
  });

  test(`${api}: leaves out every setting that the model refuses`, async () => {
    const fields: [string, string][] = [
      ['temperature', 'temperature'],
      ['top_p', 'top_p'],
      [reasoningField(api), reasoningParam(api)],
    ];
    const { model, server } = await modelAtServer(api, refusing(fields));
    const reply = await model.complete(asking(), neverAborted);
    expect(reply.dropped).toEqual(['temperature', 'topP', 'reasoningEffort']);
    expect(server.requests).toHaveLength(4);
  });

  test(`${api}: another model is still asked with the setting`, async () => {
    const { model, server } = await modelAtServer(api, (request) =>
      request.body['model'] === 'gpt-5.1' && 'temperature' in request.body ? refused('temperature') : { text: 'ok' },
    );
    await model.complete(asking(), neverAborted);
    const reply = await model.complete(chatRequest({ settings: { ...settings, model: 'other' } }), neverAborted);
    expect(reply.dropped).toEqual([]);
    expect(server.requests[2]?.body['temperature']).toBe(0);
  });

  test(`${api}: finds a refused setting where the server names none, by asking without`, async () => {
    const { model } = await modelAtServer(api, (request) =>
      'temperature' in request.body ? { status: 400, json: { error: { message: 'no', param: null } } } : { text: 'ok' },
    );
    expect(await model.complete(asking(), neverAborted)).toMatchObject({
      text: 'ok',
      dropped: ['temperature', 'topP', 'reasoningEffort'],
    });
  });

  test(`${api}: a setting that was never sent and is refused all the same ends the call`, async () => {
    const { model, server } = await modelAtServer(api, answering(refused('temperature')));
    const request = chatRequest({ settings: { model: 'gpt-5.1' } });
    expect(await rejection(model.complete(request, neverAborted))).toMatchObject({ failure: 'refused' });
    expect(server.requests).toHaveLength(1);
  });
}

test('chat: a model that refuses tools while it reasons is to be asked through the responses API', async () => {
  const { model } = await modelAtServer('chat', (request) =>
    request.tools.length > 0 ? refused('reasoning_effort') : { text: 'ok' },
  );
  expect(await rejection(model.complete(asking(), neverAborted))).toMatchObject({
    failure: 'no-tools',
    remedy: expect.stringContaining('responses API'),
  });
  const withoutTools = await model.complete(chatRequest({ settings, tools: [] }), neverAborted);
  expect(withoutTools.dropped).toEqual([]);
});
