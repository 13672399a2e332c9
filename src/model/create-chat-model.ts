import OpenAI from 'openai';
import { InputError } from '../domain/errors.ts';
import type { ChatModel, Clock } from '../domain/ports/index.ts';
import { askAcceptably } from './ask-acceptably.ts';
import { attemptThrough } from './attempt.ts';
import { chatCompletions } from './chat-completions.ts';
import { type PatienceLimits, patience, type RetryNotice } from './patience.ts';
import { type PriceTable, priceList } from './prices.ts';
import { partsMemory } from './request-parts.ts';
import { responses } from './responses.ts';
import { addUsage } from './token-usage.ts';
import { createTransport } from './transport.ts';

export interface ChatModelOptions {
  /** `responses` for OpenAI's own reasoning models, `chat` for every server that speaks Chat Completions. */
  api: 'responses' | 'chat';
  /** Absent means OpenAI's. */
  baseUrl?: string | undefined;
  /** Empty where the server asks for none. */
  apiKey: string;
  /** Goes before the prices that ship with the program. */
  prices?: PriceTable | undefined;
  clock: Clock;
  limits?: Partial<PatienceLimits> & { replyBytes?: number };
  random?: () => number;
  /** Told before every wait. */
  onRetry?: (notice: RetryNotice) => void;
}

const OPENAI_URL = 'https://api.openai.com/v1';
const DEFAULT_LIMITS = { tries: 10, callSeconds: 600, totalSeconds: 1_200, replyBytes: 16 * 1024 * 1024 };
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * A model behind an OpenAI-compatible API.
 * @throws InputError when base URL or key cannot be used at all.
 */
export function createChatModel(options: ChatModelOptions): ChatModel {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const baseUrl = checkedUrl(options.baseUrl ?? OPENAI_URL);
  const client = createClient(baseUrl, checkedKey(options.apiKey), limits.replyBytes);
  const attempt = attemptThrough(
    options.api === 'responses' ? responses(client) : chatCompletions(client),
    options.clock,
  );
  const { random = Math.random, onRetry = () => {}, clock } = options;
  const price = priceList(options.prices ?? {}, baseUrl, clock);
  const memory = partsMemory();
  return {
    price,
    describe: () => ({ api: options.api, address: baseUrl, recorded: false }),
    async complete(request, signal) {
      const patient = patience(limits, { attempt, clock, random, onRetry });
      const { reply, dropped } = await askAcceptably(request, { patience: patient, memory, address: baseUrl }, signal);
      const usage = addUsage(reply.usage, patient.wasted());
      return { ...reply, usage, dropped, usd: price(request.settings.model, usage) };
    },
  };
}

/** The client without what it would do on its own: retries, time limits, logs, and settings from the environment. */
function createClient(baseURL: string, apiKey: string, replyBytes: number): OpenAI {
  return new OpenAI({
    baseURL,
    apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: LONGEST_TIMER_MS,
    logLevel: 'off',
    fetch: createTransport({ replyBytes, apiKey }),
  });
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    const message = 'is not an http or https address without user and password';
    throw new InputError([{ source: 'base URL of the model', message, remedy: `Give one like ${OPENAI_URL}.` }]);
  }
  return text.replace(/\/+$/, '');
}

/** What an HTTP header can carry. A server that asks for no key is sent one that says so. */
function checkedKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]*$/.test(key)) return key === '' ? 'none' : key;
  const message = 'has characters that no key has';
  throw new InputError([
    { source: 'API key of the model', message, remedy: 'Copy the key again, without quotes or spaces.' },
  ]);
}
