import { expect, test } from 'vitest';
import { createChatModel } from '#src/model/create-chat-model.ts';
import type { PriceTable } from '#src/model/prices.ts';
import { chatRequest } from '../fakes/chat-request.ts';
import { answering } from '../fakes/chat-server.ts';
import { testClock } from '../fakes/test-clock.ts';
import { bothApis, modelAtServer, neverAborted } from './model-at-server.ts';

const usage = { input: 1_000_000, cached: 400_000, output: 100_000, reasoning: 90_000 };

function modelAt(baseUrl: string | undefined, prices?: PriceTable) {
  return createChatModel({ api: 'chat', baseUrl, apiKey: 'none', clock: testClock(), prices });
}

for (const api of bothApis) {
  test(`${api}: a reply says what it cost`, async () => {
    const prices = { mine: { input: 2, cached: 0.5, output: 10 } };
    const { model } = await modelAtServer(api, answering({ text: 'ok', usage }), { prices });
    const reply = await model.complete(chatRequest({ settings: { model: 'mine' } }), neverAborted);
    expect(reply.usage).toEqual(usage);
    expect(reply.usd).toBeCloseTo(0.6 * 2 + 0.4 * 0.5 + 0.1 * 10, 10);
  });

  test(`${api}: a model whose price nobody knows costs an unknown sum, not nothing`, async () => {
    const { model } = await modelAtServer(api, answering({ text: 'ok' }));
    const reply = await model.complete(chatRequest({ settings: { model: 'hand' } }), neverAborted);
    expect(reply.usd).toBeUndefined();
  });
}

test('cached input is cheaper, by the prices that ship with the program', () => {
  const price = (cached: number) => modelAt(undefined).price('gpt-5.1', { ...usage, cached });
  expect(price(0)).toBeGreaterThan(0);
  expect(price(400_000)).toBeLessThan(price(0) ?? 0);
});

test('the same model is priced by the provider that serves it, and behind a gateway by its name', () => {
  const price = (url: string, model: string) => modelAt(url).price(model, usage);
  expect(price('https://api.deepseek.com/v1', 'deepseek-chat')).toBeGreaterThan(0);
  expect(price('https://openrouter.ai/api/v1', 'anthropic/claude-sonnet-4.5')).toBeGreaterThan(0);
  expect(price('http://gateway.internal:4000/v1', 'gpt-5.1')).toBe(price('https://api.openai.com/v1', 'gpt-5.1'));
});

test('a price table goes before, needs no price for cached input, and knows only its own names', () => {
  const model = modelAt(undefined, { 'gpt-5.1': { input: 1, output: 0 } });
  expect(model.price('gpt-5.1', usage)).toBe(1);
  expect(model.price('constructor', usage)).toBeUndefined();
  expect(model.price('', usage)).toBeUndefined();
});

test('a usage with more cached than input has a price too', () => {
  expect(modelAt(undefined).price('gpt-5.1', { ...usage, cached: 2_000_000 })).toBeGreaterThan(0);
});

const choices = [{ message: { role: 'assistant', content: 'x'.repeat(400) }, finish_reason: 'stop' }];
const usageOf = async (reported: unknown) => {
  const { model } = await modelAtServer('chat', answering({ status: 200, json: { choices, usage: reported } }));
  return (await model.complete(chatRequest(), neverAborted)).usage;
};

test('reads the cache hits of DeepSeek', async () => {
  const reported = { prompt_tokens: 100, completion_tokens: 20, prompt_cache_hit_tokens: 64 };
  expect(await usageOf(reported)).toEqual({ input: 100, cached: 64, output: 20, reasoning: 0 });
});

test('counts reasoning that a server leaves out of the output and not out of the total', async () => {
  const reported = {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 420,
    completion_tokens_details: { reasoning_tokens: 300 },
  };
  expect(await usageOf(reported)).toEqual({ input: 100, cached: 0, output: 320, reasoning: 300 });
});

const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
test.each([
  [undefined],
  [null],
  ['many'],
  [zeros],
  [{ prompt_tokens: -1, completion_tokens: 1.5 }],
  [{ prompt_tokens: '9' }],
])('estimates the tokens where a server reports %j', async (reported) => {
  const estimate = await usageOf(reported);
  expect(estimate.input).toBeGreaterThan(10);
  expect(estimate.output).toBeGreaterThanOrEqual(100);
  expect(Number.isInteger(estimate.input) && Number.isInteger(estimate.output)).toBe(true);
});

test('never reports more cached than input, nor more reasoning than output', async () => {
  const reported = {
    prompt_tokens: 10,
    completion_tokens: 5,
    prompt_tokens_details: { cached_tokens: 99 },
    completion_tokens_details: { reasoning_tokens: 99 },
  };
  expect(await usageOf(reported)).toEqual({ input: 10, cached: 10, output: 5, reasoning: 5 });
});
