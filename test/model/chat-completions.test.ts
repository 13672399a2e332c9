import { expect, test } from 'vitest';
import type { Message } from '#src/domain/ports/index.ts';
import { chatRequest, shellTool } from '../fakes/chat-request.ts';
import { answering } from '../fakes/chat-server.ts';
import { modelAtServer, neverAborted } from './model-at-server.ts';

const turnOf = (reply: { text: string; toolCalls: never[] | object[]; providerState?: unknown }): Message =>
  ({ role: 'assistant', ...reply }) as Message;

test('sends messages, tools, sampling and the output limit as Chat Completions wants them', async () => {
  const { model, server } = await modelAtServer('chat', answering({ text: 'in src/cache.ts' }));
  const settings = { model: 'gpt-5.1', temperature: 0, topP: 0.95, reasoningEffort: 'low' as const };
  await model.complete(chatRequest({ settings }), neverAborted);
  expect(server.requests[0]?.headers['authorization']).toBe('Bearer sk-test-0123456789');
  expect(server.requests[0]?.body).toEqual({
    model: 'gpt-5.1',
    messages: [
      { role: 'system', content: 'Answer from the code.' },
      { role: 'user', content: 'Where is the cache?' },
    ],
    tools: [{ type: 'function', function: shellTool }],
    max_completion_tokens: 1_000,
    temperature: 0,
    top_p: 0.95,
    reasoning_effort: 'low',
  });
});

test('leaves out what is not set', async () => {
  const { model, server } = await modelAtServer('chat', answering({ text: 'ok' }));
  await model.complete(chatRequest({ tools: [] }), neverAborted);
  expect(Object.keys(server.requests[0]?.body ?? {}).sort()).toEqual(['max_completion_tokens', 'messages', 'model']);
});

test('gives text, tool calls, finish, usage and whether the model reasoned', async () => {
  const { model } = await modelAtServer(
    'chat',
    answering({
      text: 'Looking.',
      reasoning: 'It must be in src.',
      toolCalls: [{ id: 'c1', name: 'shell', arguments: { command: 'ls' } }],
      usage: { input: 900, cached: 600, output: 40, reasoning: 25 },
    }),
  );
  const reply = await model.complete(chatRequest(), neverAborted);
  expect(reply).toMatchObject({
    text: 'Looking.',
    toolCalls: [{ id: 'c1', name: 'shell', arguments: '{"command":"ls"}' }],
    finish: 'tool-calls',
    usage: { input: 900, cached: 600, output: 40, reasoning: 25 },
    reasoned: true,
    dropped: [],
  });
});

test('sends reasoning and whatever tool calls carry back unchanged', async () => {
  const toolCall = {
    id: 'c1',
    type: 'function',
    function: { name: 'shell', arguments: '{ "command": "ls" }' },
    extra_content: { google: { thought_signature: 'sealed' } },
  };
  const message = {
    role: 'assistant',
    content: 'Looking.',
    reasoning_content: 'It must be in src.',
    reasoning_details: [{ type: 'reasoning.encrypted', data: 'sealed', index: 0 }],
    tool_calls: [toolCall],
  };
  const body = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
  const { model, server } = await modelAtServer('chat', answering({ status: 200, json: body }, { text: 'done' }));
  const first = await model.complete(chatRequest(), neverAborted);
  const observation: Message = { role: 'tool', callId: 'c1', name: 'shell', text: 'src' };
  const stored = JSON.parse(JSON.stringify(turnOf(first))) as Message;
  await model.complete(
    chatRequest({ step: 2, messages: [...chatRequest().messages, stored, observation] }),
    neverAborted,
  );
  const sent = server.requests[1]?.body['messages'] as unknown[];
  expect(sent.slice(2)).toEqual([message, { role: 'tool', tool_call_id: 'c1', content: 'src' }]);
});

test('sends what the conversation says where it no longer is what the provider said, and keeps the reasoning', async () => {
  const { model, server } = await modelAtServer(
    'chat',
    answering({ text: 'Looking.', reasoning: 'Hm.', toolCalls: [{ id: 'c1', name: 'shell', arguments: {} }] }),
  );
  const first = await model.complete(chatRequest(), neverAborted);
  const changed = turnOf({ ...first, text: 'Shortened.', toolCalls: [] });
  await model.complete(chatRequest({ messages: [changed, { role: 'user', text: 'Go on.' }] }), neverAborted);
  expect(server.requests[1]?.body['messages']).toContainEqual({
    role: 'assistant',
    content: 'Shortened.',
    reasoning_content: 'Hm.',
  });
});

test('does not show the state of one model to another', async () => {
  const { model, server } = await modelAtServer('chat', answering({ text: 'a', reasoning: 'secret thought' }));
  const first = await model.complete(chatRequest(), neverAborted);
  const messages = [turnOf(first), { role: 'user' as const, text: 'Go on.' }];
  await model.complete(chatRequest({ settings: { model: 'other' }, messages }), neverAborted);
  expect(server.requests[1]?.text).not.toContain('secret thought');
});

test('sends max_tokens to a server that does not know max_completion_tokens, and remembers it', async () => {
  const refusal = { error: { message: 'Unknown field', param: 'max_completion_tokens', code: 'unknown_parameter' } };
  const { model, server } = await modelAtServer('chat', (request) =>
    'max_completion_tokens' in request.body ? { status: 400, json: refusal } : { text: 'ok' },
  );
  const reply = await model.complete(chatRequest(), neverAborted);
  await model.complete(chatRequest({ step: 2 }), neverAborted);
  expect(reply.dropped).toEqual([]);
  expect(server.requests.map((request) => request.body['max_tokens'])).toEqual([undefined, 1_000, 1_000]);
});

test.each([
  ['FastAPI', { detail: [{ type: 'extra_forbidden', loc: ['body', 'max_completion_tokens'], msg: 'Extra inputs' }] }],
  [
    'Mistral',
    { object: 'error', message: { detail: [{ loc: ['body', 'max_completion_tokens'], msg: 'Extra inputs' }] } },
  ],
])('understands the refusal of %s, which names the field in a list', async (_, json) => {
  const { model, server } = await modelAtServer('chat', answering({ status: 422, json }, { text: 'ok' }));
  await model.complete(chatRequest(), neverAborted);
  expect(server.requests.map((request) => 'max_tokens' in request.body)).toEqual([false, true]);
});

test('takes a reply with tool calls as such, whatever finish_reason says', async () => {
  const message = { content: '', tool_calls: [{ function: { name: 'shell', arguments: { command: 'ls' } } }] };
  const { model } = await modelAtServer(
    'chat',
    answering({ status: 200, json: { choices: [{ message, finish_reason: 'stop' }] } }),
  );
  const reply = await model.complete(chatRequest({ step: 7 }), neverAborted);
  expect(reply.finish).toBe('tool-calls');
  expect(reply.toolCalls).toEqual([{ id: 'call_7_0', name: 'shell', arguments: '{"command":"ls"}' }]);
});

test('gives tool calls with the same id ids of their own, and answers under those', async () => {
  const call = { id: 'x', type: 'function', function: { name: 'shell', arguments: '{}' } };
  const json = { choices: [{ message: { content: null, tool_calls: [call, call] }, finish_reason: 'tool_calls' }] };
  const { model, server } = await modelAtServer('chat', answering({ status: 200, json }, { text: 'ok' }));
  const first = await model.complete(chatRequest(), neverAborted);
  await model.complete(chatRequest({ messages: [turnOf(first)] }), neverAborted);
  const sent = server.requests[1]?.body['messages'] as { tool_calls: { id: string }[] }[];
  expect(first.toolCalls.map((toolCall) => toolCall.id)).toEqual(['x', 'call_1_1']);
  expect(sent[0]?.tool_calls.map((toolCall) => toolCall.id)).toEqual(['x', 'call_1_1']);
});

test('separates a thought that a server left in front of the text, and sends it back with it', async () => {
  const { model, server } = await modelAtServer('chat', answering({ text: '<think>Hm.</think>\n\nIn src.' }));
  const reply = await model.complete(chatRequest(), neverAborted);
  expect(reply).toMatchObject({ text: 'In src.', reasoned: true });
  await model.complete(chatRequest({ messages: [turnOf(reply)] }), neverAborted);
  expect(server.requests[1]?.text).toContain('<think>Hm.</think>');
});

test('reads content that comes in parts', async () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
    { type: 'text', text: 'In src.' },
  ];
  const json = { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] };
  const { model } = await modelAtServer('chat', answering({ status: 200, json }));
  expect((await model.complete(chatRequest(), neverAborted)).text).toBe('In src.');
});

test('says when the output limit or a filter cut the reply', async () => {
  const script = answering({ text: 'It is', finish: 'length' }, { text: 'It is', finish: 'filtered' });
  const { model } = await modelAtServer('chat', script);
  expect((await model.complete(chatRequest(), neverAborted)).finish).toBe('length');
  expect((await model.complete(chatRequest(), neverAborted)).finish).toBe('filtered');
});

test('sends text with half a surrogate pair as valid Unicode', async () => {
  const { model, server } = await modelAtServer('chat', answering({ text: 'ok' }));
  await model.complete(chatRequest({ messages: [{ role: 'user', text: 'cut \ud83d' }] }), neverAborted);
  expect(server.requests[0]?.text).toContain('cut \ufffd');
});
