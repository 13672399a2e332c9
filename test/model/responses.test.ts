import { expect, test } from 'vitest';
import type { Message } from '#src/domain/ports/index.ts';
import { chatRequest, shellTool } from '../fakes/chat-request.ts';
import { answering } from '../fakes/chat-server.ts';
import { modelAtServer, neverAborted } from './model-at-server.ts';

const turnOf = (reply: object): Message => ({ role: 'assistant', ...reply }) as Message;
const observation: Message = { role: 'tool', callId: 'c1', name: 'shell', text: 'src' };

test('sends everything in one stateless request', async () => {
  const { model, server } = await modelAtServer('responses', answering({ text: 'in src/cache.ts' }));
  const settings = { model: 'gpt-5.1', temperature: 0.99, topP: 0.95, reasoningEffort: 'high' as const };
  await model.complete(chatRequest({ settings }), neverAborted);
  expect(server.requests[0]?.body).toEqual({
    model: 'gpt-5.1',
    input: [
      { role: 'system', content: 'Answer from the code.' },
      { role: 'user', content: 'Where is the cache?' },
    ],
    store: false,
    include: ['reasoning.encrypted_content'],
    tools: [{ type: 'function', ...shellTool, strict: false }],
    max_output_tokens: 1_000,
    temperature: 0.99,
    top_p: 0.95,
    reasoning: { effort: 'high' },
  });
});

test('gives text, tool calls, finish, usage and whether the model reasoned', async () => {
  const { model } = await modelAtServer(
    'responses',
    answering({
      text: 'Looking.',
      reasoning: 'Hm.',
      toolCalls: [{ id: 'c1', name: 'shell', arguments: '{"command":"ls"}' }],
      usage: { input: 900, cached: 600, output: 40, reasoning: 25 },
    }),
  );
  expect(await model.complete(chatRequest(), neverAborted)).toMatchObject({
    text: 'Looking.',
    toolCalls: [{ id: 'c1', name: 'shell', arguments: '{"command":"ls"}' }],
    finish: 'tool-calls',
    usage: { input: 900, cached: 600, output: 40, reasoning: 25 },
    reasoned: true,
  });
});

test('sends the encrypted reasoning and all other items back unchanged, even after they were stored as JSON', async () => {
  const output = [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed', status: null },
    {
      type: 'message',
      id: 'm_1',
      role: 'assistant',
      phase: 'commentary',
      content: [{ type: 'output_text', text: 'Hm', annotations: [] }],
    },
    { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'shell', arguments: '{ }', status: 'completed' },
  ];
  const json = { status: 'completed', output, usage: null };
  const { model, server } = await modelAtServer('responses', answering({ status: 200, json }, { text: 'done' }));
  const first = await model.complete(chatRequest(), neverAborted);
  const stored = JSON.parse(JSON.stringify(turnOf(first))) as Message;
  await model.complete(chatRequest({ messages: [stored, observation] }), neverAborted);
  const expected = [...output, { type: 'function_call_output', call_id: 'c1', output: 'src' }];
  expect(server.requests[1]?.body['input']).toEqual(expected);
});

test('builds the items from the conversation where it was changed, so that calls and results still match', async () => {
  const toolCalls = [
    { id: 'c1', name: 'shell', arguments: '{}' },
    { id: 'c2', name: 'shell', arguments: '{}' },
  ];
  const { model, server } = await modelAtServer('responses', answering({ text: 'Hm', reasoning: 'r', toolCalls }));
  const first = await model.complete(chatRequest(), neverAborted);
  const changed = turnOf({ ...first, toolCalls: first.toolCalls.slice(0, 1) });
  await model.complete(chatRequest({ messages: [changed, observation] }), neverAborted);
  expect(server.requests[1]?.body['input']).toEqual([
    { role: 'assistant', content: 'Hm' },
    { type: 'function_call', call_id: 'c1', name: 'shell', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'src' },
  ]);
});

test('does not send reasoning that the server could only know from storage', async () => {
  const output = [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'shell', arguments: '{}' },
  ];
  const { model, server } = await modelAtServer(
    'responses',
    answering({ status: 200, json: { status: 'completed', output } }),
  );
  const first = await model.complete(chatRequest(), neverAborted);
  await model.complete(chatRequest({ messages: [turnOf(first), observation] }), neverAborted);
  expect(server.requests[1]?.text).not.toContain('rs_1');
  expect(server.requests[1]?.text).not.toContain('fc_1');
});

test('goes on without reasoning that the provider can no longer read', async () => {
  const unreadable = { error: { code: 'invalid_encrypted_content', param: null, message: 'could not be verified' } };
  const { model, server } = await modelAtServer('responses', (request) =>
    request.text.includes('sealed:') ? { status: 400, json: unreadable } : { text: 'ok', reasoning: 'again' },
  );
  const first = await model.complete(chatRequest(), neverAborted);
  const reply = await model.complete(chatRequest({ messages: [turnOf(first)] }), neverAborted);
  expect(reply.text).toBe('ok');
  expect(server.requests[2]?.body['include']).toEqual(['reasoning.encrypted_content']);
});

test('still sends reasoning back in other conversations after one had unreadable reasoning', async () => {
  const unreadable = { error: { code: 'invalid_encrypted_content', param: null, message: 'could not be verified' } };
  const { model, server } = await modelAtServer('responses', (request) =>
    request.text.includes('sealed:old')
      ? { status: 400, json: unreadable }
      : { text: 'ok', reasoning: request.number === 1 ? 'old' : 'new' },
  );
  const old = await model.complete(chatRequest(), neverAborted);
  const fresh = await model.complete(chatRequest({ messages: [turnOf(old)] }), neverAborted);
  await model.complete(chatRequest({ messages: [turnOf(fresh)] }), neverAborted);
  expect(server.requests.at(-1)?.text).toContain('sealed:new');
});

test.each([
  ['another model', { settings: { model: 'other' } }, {}],
  ['a turn whose text was changed', {}, { text: 'Shortened.' }],
])('does not send the items back for %s', async (_, request, change) => {
  const { model, server } = await modelAtServer('responses', answering({ text: 'Hm', reasoning: 'r' }));
  const first = await model.complete(chatRequest(), neverAborted);
  await model.complete(chatRequest({ ...request, messages: [turnOf({ ...first, ...change })] }), neverAborted);
  expect(server.requests[1]?.body['input']).toEqual([
    { role: 'assistant', content: 'Hm', ...('text' in change && { content: change.text }) },
  ]);
});

test('answers a call that came without id under an id of its own', async () => {
  const output = [{ type: 'function_call', name: 'shell', arguments: '{}' }];
  const json = { status: 'completed', output };
  const { model, server } = await modelAtServer('responses', answering({ status: 200, json }, { text: 'ok' }));
  const first = await model.complete(chatRequest({ step: 3 }), neverAborted);
  const id = first.toolCalls[0]?.id ?? '';
  await model.complete(
    chatRequest({ messages: [turnOf(first), { ...observation, callId: id } as Message] }),
    neverAborted,
  );
  expect(server.requests[1]?.body['input']).toMatchObject([{ call_id: 'call_3_0' }, { call_id: 'call_3_0' }]);
});

test('asks for no fewer output tokens than the API accepts', async () => {
  const { model, server } = await modelAtServer('responses', answering({ text: 'ok' }));
  await model.complete(chatRequest({ maxOutputTokens: 1 }), neverAborted);
  expect(server.requests[0]?.body['max_output_tokens']).toBe(16);
});

test('asks a model without encrypted reasoning for none, and reports no lost setting', async () => {
  const refusal = { error: { message: 'Encrypted content is not supported', param: 'include', code: null } };
  const { model, server } = await modelAtServer('responses', (request) =>
    'include' in request.body ? { status: 400, json: refusal } : { text: 'ok' },
  );
  const reply = await model.complete(chatRequest({ settings: { model: 'gpt-4o' } }), neverAborted);
  await model.complete(chatRequest({ settings: { model: 'gpt-4o' } }), neverAborted);
  expect(reply.dropped).toEqual([]);
  expect(server.requests).toHaveLength(3);
});

test('says when the output limit or a filter cut the reply, also in the middle of a call', async () => {
  const cut = { toolCalls: [{ name: 'shell', arguments: '{"comm' }], finish: 'length' as const };
  const { model } = await modelAtServer('responses', answering(cut, { text: 'It is', finish: 'filtered' }));
  expect((await model.complete(chatRequest(), neverAborted)).finish).toBe('length');
  expect((await model.complete(chatRequest(), neverAborted)).finish).toBe('filtered');
});

test('takes a refusal of the model for text, and says that it was filtered', async () => {
  const content = [{ type: 'refusal', refusal: 'I will not.' }];
  const json = { status: 'completed', output: [{ type: 'message', role: 'assistant', content }] };
  const { model } = await modelAtServer('responses', answering({ status: 200, json }));
  const reply = await model.complete(chatRequest(), neverAborted);
  expect(reply).toMatchObject({ text: 'I will not.', finish: 'filtered' });
});

test('repeats a response that failed inside, and gives up on one that was rejected inside', async () => {
  const failing = (code: string) => ({
    status: 200,
    json: { status: 'failed', error: { code, message: 'm' }, output: [] },
  });
  const { model, server } = await modelAtServer(
    'responses',
    answering(failing('server_error'), failing('rate_limit_exceeded'), { text: 'ok' }),
  );
  expect((await model.complete(chatRequest(), neverAborted)).text).toBe('ok');
  expect(server.requests).toHaveLength(3);
  const rejecting = await modelAtServer('responses', answering(failing('invalid_prompt')));
  await expect(rejecting.model.complete(chatRequest(), neverAborted)).rejects.toMatchObject({ failure: 'refused' });
});
