import { expect, test } from 'vitest';
import { CancelledError } from '#src/domain/errors.ts';
import type { RetryNotice } from '#src/model/patience.ts';
import { chatRequest } from '../fakes/chat-request.ts';
import { answering, type ServedAnswer } from '../fakes/chat-server.ts';
import { bothApis, modelAtServer, neverAborted, rejection } from './model-at-server.ts';

const CALL_MS = 600_000;
const waits = (sleeps: number[]) => sleeps.filter((ms) => ms !== CALL_MS);
const limits = { totalSeconds: 100_000 };

const passing: [string, ServedAnswer][] = [
  ['too many requests', { status: 429, json: { error: { message: 'slow down', code: 'rate_limit_exceeded' } } }],
  ['an overloaded server', { status: 503, body: '<h1>503</h1>' }],
  ['a gateway that gave up', { status: 524 }],
  ['a connection that was cut', { fault: 'cut' }],
  ['a reply that was cut in the middle', { fault: 'cut-in-body' }],
  ['a reply with nothing in it', {}],
  ['a reply with only white space', { text: '\n' }],
  ['an empty body', { status: 200, body: '' }],
];

for (const api of bothApis) {
  test.each(passing)(`${api}: asks again after %s`, async (_, fault) => {
    const { model, server } = await modelAtServer(api, answering(fault, { text: 'ok' }));
    expect((await model.complete(chatRequest(), neverAborted)).text).toBe('ok');
    expect(server.requests).toHaveLength(2);
  });
}

test('waits up to twice as long each time, at most a minute, drawn from zero', async () => {
  const options = { limits, random: () => 0.999999 };
  const { model, server, clock } = await modelAtServer('chat', answering({ status: 500 }), options);
  await rejection(model.complete(chatRequest(), neverAborted));
  expect(waits(clock.sleeps)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1000));
  expect(server.requests).toHaveLength(10);
  const lucky = await modelAtServer('chat', answering({ status: 500 }), { limits, random: () => 0 });
  await rejection(lucky.model.complete(chatRequest(), neverAborted));
  expect(new Set(waits(lucky.clock.sleeps))).toEqual(new Set([0]));
});

test.each([
  ['seconds', { 'retry-after': '7' }, 7_000],
  ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, 9_000],
  ['a date that is over', { 'retry-after': 'Thu, 01 Jan 2015 00:00:09 GMT' }, 0],
  ['milliseconds, which go before seconds', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1_500],
  ['something unreadable', { 'retry-after': 'soon' }, 0],
  ['a negative number', { 'retry-after': '-5' }, 0],
])('waits as long as a server asks for with %s', async (_, headers, ms) => {
  const fault = { status: 429, headers: headers as Record<string, string>, json: {} };
  const { model, clock } = await modelAtServer('chat', answering(fault, { text: 'ok' }), { random: () => 0 });
  await model.complete(chatRequest(), neverAborted);
  expect(waits(clock.sleeps)).toEqual([ms]);
});

test('spreads agents that were told to wait equally long', async () => {
  const fault = { status: 429, headers: { 'retry-after': '7' }, json: {} };
  const { model, clock } = await modelAtServer('chat', answering(fault, { text: 'ok' }), { random: () => 0.5 });
  await model.complete(chatRequest(), neverAborted);
  expect(waits(clock.sleeps)).toEqual([7_500]);
});

test('gives up at once where the server asks to wait longer than there is time', async () => {
  const fault = { status: 429, headers: { 'retry-after': '86400' }, json: {} };
  const { model, server, clock } = await modelAtServer('chat', answering(fault));
  expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({ failure: 'rate-limited' });
  expect(server.requests).toHaveLength(1);
  expect(waits(clock.sleeps)).toEqual([]);
});

test('gives the last attempt only the time that is left, and then gives up', async () => {
  const fault = { status: 500, headers: { 'retry-after': '200' }, json: {} };
  const options = { limits: { totalSeconds: 301 }, random: () => 0 };
  const { model, clock } = await modelAtServer('chat', answering(fault), options);
  expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({
    failure: 'unreachable',
    message: expect.stringContaining('within 101 seconds'),
  });
  expect(clock.monotonic()).toBe(301_000);
});

test('gives up a silent server after the time of one attempt, and asks again', async () => {
  const { model, server, clock } = await modelAtServer('chat', (request) => {
    if (request.number > 1) return { text: 'ok' };
    queueMicrotask(() => clock.advance(CALL_MS));
    return { fault: 'silent' };
  });
  expect((await model.complete(chatRequest(), neverAborted)).text).toBe('ok');
  expect(server.requests).toHaveLength(2);
});

test('says how long it waited for a server that stays silent', async () => {
  const options = { limits: { tries: 2 } };
  const { model, clock } = await modelAtServer(
    'responses',
    () => {
      queueMicrotask(() => clock.advance(CALL_MS));
      return { fault: 'silent' };
    },
    options,
  );
  const error = await rejection(model.complete(chatRequest(), neverAborted));
  expect(error).toMatchObject({ failure: 'unreachable', message: expect.stringContaining('within 600 seconds') });
});

test('gives up a reply that stays empty, and counts the tokens of empty replies that a full one follows', async () => {
  const { model } = await modelAtServer('chat', answering({}));
  expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({ failure: 'invalid-reply' });
  const { model: other } = await modelAtServer('chat', answering({}, {}, { text: 'ok' }));
  const reply = await other.complete(chatRequest(), neverAborted);
  expect(reply.usage).toEqual({ input: 300, cached: 0, output: 30, reasoning: 0 });
});

test('takes a reply that is empty because thinking used up all tokens as it is', async () => {
  const { model, server } = await modelAtServer('responses', answering({ reasoning: 'Hm', finish: 'length' }));
  expect((await model.complete(chatRequest(), neverAborted)).finish).toBe('length');
  expect(server.requests).toHaveLength(1);
});

test('tells of every wait, with who waits and why', async () => {
  const notices: RetryNotice[] = [];
  const script = answering({ status: 429, json: { error: { message: 'slow down' } } }, { text: 'ok' });
  const { model } = await modelAtServer('chat', script, { onRetry: (notice) => notices.push(notice) });
  await model.complete(chatRequest(), neverAborted);
  expect(notices).toMatchObject([
    { request: { agent: 'answerer-1', step: 1 }, tries: 1, waitMs: 500, what: '429 slow down' },
  ]);
});

test('waits for a server that answered before and went away', async () => {
  const { model, server, clock } = await modelAtServer('chat', answering({ text: 'ok' }));
  await model.complete(chatRequest(), neverAborted);
  await server.close();
  expect(await rejection(model.complete(chatRequest(), neverAborted))).toMatchObject({ failure: 'unreachable' });
  expect(waits(clock.sleeps)).toHaveLength(9);
});

for (const api of bothApis) {
  test(`${api}: stops at once, as who stopped it, while the server thinks`, async () => {
    const stop = new AbortController();
    const { model } = await modelAtServer(api, () => {
      queueMicrotask(() => stop.abort(new CancelledError('@alice')));
      return { fault: 'silent' };
    });
    expect(await rejection(model.complete(chatRequest(), stop.signal))).toMatchObject({
      code: 'cancelled',
      by: '@alice',
    });
  });

  test(`${api}: stops at once between two attempts`, async () => {
    const stop = new AbortController();
    const fault = { status: 429, headers: { 'retry-after': '900' }, json: {} };
    const { model, server } = await modelAtServer(api, answering(fault), {
      onRetry: () => queueMicrotask(() => stop.abort()),
    });
    expect(await rejection(model.complete(chatRequest(), stop.signal))).toBeInstanceOf(CancelledError);
    expect(server.requests).toHaveLength(1);
  });
}

test('asks nothing when it was stopped before', async () => {
  const { model, server } = await modelAtServer('chat', answering({ text: 'ok' }));
  expect(await rejection(model.complete(chatRequest(), AbortSignal.abort()))).toBeInstanceOf(CancelledError);
  expect(server.requests).toHaveLength(0);
});
