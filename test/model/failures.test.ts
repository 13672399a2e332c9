import { expect, onTestFinished, test, vi } from 'vitest';
import { InputError, ModelError } from '#src/domain/errors.ts';
import { createChatModel } from '#src/model/create-chat-model.ts';
import { chatRequest } from '../fakes/chat-request.ts';
import { answering, type ServedAnswer, type ServedRequest } from '../fakes/chat-server.ts';
import { testClock } from '../fakes/test-clock.ts';
import { bothApis, modelAtServer, neverAborted, rejection } from './model-at-server.ts';

const error = (status: number, fields: Record<string, unknown>): ServedAnswer => ({
  status,
  json: { error: { message: 'A sentence that decides nothing.', ...fields } },
});

const final: [string, string, ServedAnswer][] = [
  ['a wrong key', 'unauthorized', error(401, { code: 'invalid_api_key' })],
  ['a key without the right', 'unauthorized', error(403, {})],
  ['a model that is not there', 'unknown-model', error(404, { code: 'model_not_found' })],
  ['a model that this key may not see', 'unknown-model', error(403, { code: 'model_not_found' })],
  ['a field `tools` that it refuses', 'no-tools', error(400, { param: 'tools', code: 'unsupported_parameter' })],
  ['a tool that it refuses', 'no-tools', error(400, { param: 'tools[0].type' })],
  ['a tool whose schema it refuses (Responses)', 'refused', error(400, { param: 'tools[0].parameters' })],
  ['a tool whose schema it refuses', 'refused', error(400, { param: 'tools[1].function.parameters' })],
  ['too long a conversation (OpenAI)', 'context-overflow', error(400, { code: 'context_length_exceeded' })],
  [
    'too long a conversation (llama.cpp)',
    'context-overflow',
    error(400, { type: 'exceed_context_size_error', code: 400 }),
  ],
  ['too long a body', 'context-overflow', error(413, {})],
  ['what the policy forbids', 'refused', error(400, { code: 'invalid_prompt' })],
  [
    'what a filter stops (Azure)',
    'refused',
    error(400, { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } }),
  ],
  ['an account without credit', 'rate-limited', error(429, { code: 'insufficient_quota' })],
  ['an account that cannot pay', 'rate-limited', error(402, {})],
  ['a web page', 'invalid-reply', { fault: 'html' }],
  ['JSON that is no reply', 'invalid-reply', { status: 200, json: { hello: 'world' } }],
  ['JSON that is no object', 'invalid-reply', { status: 200, json: 42 }],
  ['a redirect', 'invalid-reply', { status: 302, headers: { location: 'https://example.org/' }, body: '' }],
  [
    'a server that says not to try again',
    'unreachable',
    { status: 503, headers: { 'x-should-retry': 'false' }, json: {} },
  ],
];

for (const api of bothApis) {
  test.each(final)(`${api}: %s ends as %s, at the first attempt, with a remedy`, async (_, failure, answer) => {
    const { model, server } = await modelAtServer(api, answering(answer));
    const thrown = await rejection(model.complete(chatRequest(), neverAborted));
    expect(thrown).toBeInstanceOf(ModelError);
    expect(thrown).toMatchObject({ failure, message: expect.stringContaining(`gpt-5.1 at ${server.url}`) });
    expect((thrown as ModelError).remedy).not.toBe('');
    expect((thrown as ModelError).cause).toBeDefined();
    expect(server.requests).toHaveLength(1);
  });

  test(`${api}: a reply without end is given up at its size`, async () => {
    const { model, server } = await modelAtServer(api, answering({ fault: 'endless' }), {
      limits: { replyBytes: 1024 * 1024 },
    });
    expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({ failure: 'invalid-reply' });
    expect(server.requests).toHaveLength(1);
  });

  test(`${api}: a reply that a filter kept back wholly is refused`, async () => {
    const { model } = await modelAtServer(api, answering({ finish: 'filtered' }));
    expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({ failure: 'refused' });
  });
}

test('nobody at the address is unreachable at once', async () => {
  const { model, server, clock } = await modelAtServer('chat', answering({ text: 'ok' }));
  await server.close();
  expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({
    failure: 'unreachable',
    message: expect.stringContaining('ECONNREFUSED'),
  });
  expect(clock.monotonic()).toBe(0);
});

test('an error inside a reply with status 200 counts as that error', async () => {
  const inside = (code: number): ServedAnswer => ({ status: 200, json: { error: { code, message: 'upstream' } } });
  const { model } = await modelAtServer('chat', answering(inside(502), { text: 'ok' }));
  expect((await model.complete(chatRequest(), neverAborted)).text).toBe('ok');
  const { model: other } = await modelAtServer('chat', answering(inside(401)));
  expect(await rejection(other.complete(chatRequest(), neverAborted))).toMatchObject({ failure: 'unauthorized' });
});

const silentRefusal = error(400, { type: 'invalid_request_error', param: null, code: 'invalid_request_error' });
const refusing = (refuses: (request: ServedRequest) => boolean) => (request: ServedRequest) =>
  refuses(request) ? silentRefusal : { text: 'pong' };

for (const api of bothApis) {
  test(`${api}: a server that refuses tools in words only is found out by asking without`, async () => {
    const { model } = await modelAtServer(
      api,
      refusing((request) => request.tools.length > 0),
    );
    expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({ failure: 'no-tools' });
  });

  test(`${api}: a server that refuses a long conversation in words only is found out by asking briefly`, async () => {
    const { model } = await modelAtServer(
      api,
      refusing((request) => request.text.length > 20_000),
    );
    const messages = [{ role: 'user' as const, text: 'x'.repeat(30_000) }];
    expect(await rejection(model.complete(chatRequest({ messages }), neverAborted))).toMatchObject({
      failure: 'context-overflow',
    });
    expect(await rejection(model.complete(chatRequest({ messages, tools: [] }), neverAborted))).toMatchObject({
      failure: 'context-overflow',
    });
  });

  test(`${api}: a server that refuses everything is said to refuse`, async () => {
    const { model, server } = await modelAtServer(api, answering(silentRefusal));
    expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({
      failure: 'refused',
      message: expect.stringContaining('A sentence that decides nothing.'),
    });
    expect(server.requests.length).toBeLessThanOrEqual(5);
  });
}

test('a short conversation that is refused in words only is not said to be too long', async () => {
  const { model } = await modelAtServer(
    'chat',
    refusing((request) => request.text.includes('cache')),
  );
  expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({ failure: 'refused' });
});

test('an empty answer to the brief question still shows that tools are what is refused', async () => {
  const { model } = await modelAtServer('chat', (request) => (request.tools.length > 0 ? silentRefusal : {}));
  expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({ failure: 'no-tools' });
});

test('a server that breaks down while it is asked briefly is not said to refuse tools', async () => {
  const { model } = await modelAtServer('chat', (request) => {
    if (!request.text.includes('ping')) return silentRefusal;
    return request.tools.length > 0 ? { status: 503 } : { text: 'pong' };
  });
  expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({ failure: 'refused' });
});

test('a model that has answered with its settings is not asked without them when a conversation is refused', async () => {
  const { model, server } = await modelAtServer(
    'chat',
    refusing((request) => request.text.length > 20_000),
  );
  const settings = { model: 'gpt-5.1', temperature: 0 };
  await model.complete(chatRequest({ settings }), neverAborted);
  const messages = [{ role: 'user' as const, text: 'x'.repeat(30_000) }];
  await rejection(model.complete(chatRequest({ settings, messages }), neverAborted));
  expect(server.requests.filter((request) => request.text.length > 20_000)).toHaveLength(1);
});

test('a route that has no provider for tools is told from a model that is not there', async () => {
  const notFound = error(404, { code: 404 });
  const withoutTools = await modelAtServer('chat', (request) =>
    request.tools.length > 0 ? notFound : { text: 'pong' },
  );
  expect(await rejection(withoutTools.model.complete(chatRequest(), neverAborted))).toMatchObject({
    failure: 'no-tools',
  });
  const missing = await modelAtServer('chat', answering(notFound));
  expect(await rejection(missing.model.complete(chatRequest(), neverAborted))).toMatchObject({
    failure: 'unknown-model',
  });
  expect(missing.server.requests).toHaveLength(2);
});

test.each([
  ['OpenAI', { error: { message: 'No such thing' } }],
  ['vLLM', { object: 'error', message: 'No such thing', type: 'BadRequestError', param: null, code: 401 }],
  ['Ollama', { error: 'No such thing' }],
  ['Gemini', [{ error: { code: 401, message: 'No such thing', status: 'UNAUTHENTICATED' } }]],
])('passes on what the server says, as %s does it', async (_, json) => {
  const { model, server } = await modelAtServer('chat', answering({ status: 401, json }));
  expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({
    failure: 'unauthorized',
    message: `gpt-5.1 at ${server.url}: 401 No such thing`,
  });
});

test('passes on a body that no dialect explains as it is', async () => {
  const { model } = await modelAtServer('chat', answering({ status: 401, json: { detail: 'No such thing' } }));
  expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({
    message: expect.stringContaining('{"detail":"No such thing"}'),
  });
});

test('keeps the key out of what it passes on, and long pages short', async () => {
  const body = `key sk-test-0123456789 is wrong ${'<p>'.repeat(100_000)}`;
  const { model } = await modelAtServer('chat', answering({ status: 401, body }));
  const thrown = (await rejection(model.complete(chatRequest(), neverAborted))) as ModelError;
  expect(thrown.message).toContain('key … is wrong');
  expect(JSON.stringify(thrown.cause) + thrown.message + thrown.stack).not.toContain('sk-test-0123456789');
  expect(thrown.message.length).toBeLessThan(500);
});

test.each([
  ['an address without scheme', { baseUrl: 'localhost:11434' }],
  ['an address with a password', { baseUrl: 'https://alice:secret@example.org/v1' }],
  ['a key with a line break inside', { apiKey: 'sk-one\nsk-two' }],
  ['a key in typographic quotes', { apiKey: '“sk-one”' }],
])('%s is said to be wrong before any call', (_, wrong) => {
  const options = { api: 'chat' as const, apiKey: 'sk-one', clock: testClock(), ...wrong };
  expect(() => createChatModel(options)).toThrow(InputError);
});

test('a key that was copied with a line break works', async () => {
  const { model, server } = await modelAtServer('chat', answering({ text: 'ok' }), { apiKey: 'sk-one\n' });
  await model.complete(chatRequest(), neverAborted);
  expect(server.requests[0]?.headers['authorization']).toBe('Bearer sk-one');
});

test('what the environment says to other programs about OpenAI does not reach the provider', async () => {
  vi.stubEnv('OPENAI_ORG_ID', 'org-other');
  vi.stubEnv('OPENAI_PROJECT_ID', 'project-other');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { model, server } = await modelAtServer('chat', answering({ text: 'ok' }));
  await model.complete(chatRequest(), neverAborted);
  expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('other');
});

test('says by which API and at which address a model is asked', () => {
  const options = { api: 'responses' as const, apiKey: '', clock: testClock(), baseUrl: 'http://localhost:8000/v1/' };
  expect(createChatModel(options).describe()).toEqual({
    api: 'responses',
    address: 'http://localhost:8000/v1',
    recorded: false,
  });
});
