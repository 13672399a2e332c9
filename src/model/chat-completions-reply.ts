import { APIError } from 'openai';
import { z } from 'zod';
import type { ChatReply, ChatRequest } from '../domain/ports/index.ts';
import { toolCalls } from './assistant-turn.ts';
import type { ChatState } from './chat-completions-state.ts';
import type { ApiReply } from './model-api.ts';
import { modelError } from './model-errors.ts';
import { readUsage } from './token-usage.ts';

const RawCall = z.looseObject({
  id: z.string().optional().catch(undefined),
  function: z.looseObject({ name: z.string().catch(''), arguments: z.unknown().optional() }),
});
const RawMessage = z.object({
  content: z.unknown().optional(),
  refusal: z.string().nullish().catch(undefined),
  tool_calls: z.array(RawCall).nullish(),
  reasoning_content: z.unknown().optional(),
  reasoning: z.unknown().optional(),
  reasoning_details: z.unknown().optional(),
});
type RawMessage = z.infer<typeof RawMessage>;
const Completion = z.object({
  choices: z.array(z.object({ finish_reason: z.string().nullish(), message: RawMessage })).min(1),
  usage: z.unknown().optional(),
});
const ErrorInside = z.object({
  error: z.object({ code: z.union([z.int(), z.string()]).optional().catch(undefined) }).loose(),
});

/**
 * What a chat completion says. `sent` is how many characters were sent, for servers that report no usage.
 * @throws ModelError `invalid-reply`; APIError where the body is an error under status 200 (OpenRouter).
 */
export function readCompletion(body: unknown, request: ChatRequest, sent: number): ApiReply {
  const completion = parseCompletion(body);
  const choice = completion.choices[0];
  const message = choice?.message ?? RawMessage.parse({});
  const calls = toolCalls(
    (message.tool_calls ?? []).map((call) => ({ id: call.id, ...call.function })),
    request.step,
  );
  const { text, thought } = splitThought(plainText(message.content));
  const usage = readUsage(completion.usage, { sent, received: JSON.stringify(message).length });
  const state: ChatState = {
    api: 'chat',
    model: request.settings.model,
    text: text || (message.refusal ?? ''),
    toolCalls: calls,
    message: givenFields(message),
  };
  return {
    text: state.text,
    toolCalls: calls,
    finish: finishOf(choice?.finish_reason ?? '', calls.length > 0, Boolean(message.refusal)),
    usage,
    reasoned: thought || usage.reasoning > 0 || hasReasoning(message),
    providerState: state,
  };
}

function parseCompletion(body: unknown): z.infer<typeof Completion> {
  if (body === null || body === undefined) return { choices: [], usage: undefined };
  const completion = Completion.safeParse(body);
  if (completion.success) return completion.data;
  const inside = ErrorInside.safeParse(body);
  if (inside.success) throw APIError.generate(statusOf(inside.data.error.code), inside.data, undefined, new Headers());
  throw modelError('invalid-reply', 'the reply is not a chat completion', completion.error);
}

const statusOf = (code: number | string | undefined): number => {
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : 502;
};

function finishOf(reason: string, callsTools: boolean, refused: boolean): ChatReply['finish'] {
  if (reason === 'length') return 'length';
  if (reason === 'content_filter' || refused) return 'filtered';
  return callsTools ? 'tool-calls' : 'stop';
}

/** Content is text, or a list of parts of which the text is shown (Mistral sends thoughts as other parts). */
function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = z.array(z.looseObject({ text: z.string().catch('') })).safeParse(content);
  return parts.success ? parts.data.map((part) => part.text).join('') : '';
}

const THOUGHT_START = '<think>';
const THOUGHT_END = '</think>';

/** Servers without a reasoning parser leave the thought in front of the text. */
function splitThought(content: string): { text: string; thought: boolean } {
  const end = content.indexOf(THOUGHT_END);
  const starts = content.trimStart().startsWith(THOUGHT_START);
  if (!starts || end < 0) return { text: content, thought: starts };
  return { text: content.slice(end + THOUGHT_END.length).trimStart(), thought: true };
}

const isSomething = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

const hasReasoning = (message: RawMessage): boolean =>
  [message.reasoning_content, message.reasoning, message.reasoning_details].some(isSomething);

function givenFields(message: RawMessage): Record<string, unknown> {
  const { refusal: _, ...fields } = message;
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => name === 'content' || isSomething(value)));
}
