import { APIError } from 'openai';
import { z } from 'zod';
import type { ChatReply, ChatRequest } from '../domain/ports/index.ts';
import { toolCalls } from './assistant-turn.ts';
import type { ApiReply } from './model-api.ts';
import { modelError } from './model-errors.ts';
import type { ResponsesState } from './responses-state.ts';
import { readUsage } from './token-usage.ts';

const Content = z.looseObject({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() });
const Item = z.looseObject({
  type: z.string(),
  content: z.array(Content).nullish().catch(undefined),
  call_id: z.string().optional().catch(undefined),
  name: z.string().catch(''),
  arguments: z.unknown().optional(),
});
const Body = z.object({
  status: z.string().nullish(),
  error: z.looseObject({ code: z.string().nullish() }).nullish().catch(undefined),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish().catch(undefined),
  output: z.array(Item).catch([]),
  usage: z.unknown().optional(),
});
type Body = z.infer<typeof Body>;

/**
 * What a response says. `sent` is how many characters were sent, for servers that report no usage.
 * @throws ModelError `invalid-reply`; APIError where the response failed under status 200.
 */
export function readResponse(body: unknown, request: ChatRequest, sent: number): ApiReply {
  const response = parseBody(body);
  const contents = response.output.flatMap((item) => (item.type === 'message' ? (item.content ?? []) : []));
  const calls = toolCalls(
    response.output
      .filter((item) => item.type === 'function_call')
      .map((item) => ({ id: item.call_id, name: item.name, arguments: item.arguments })),
    request.step,
  );
  const text = contents.map((part) => part.text ?? part.refusal ?? '').join('');
  const usage = readUsage(response.usage, { sent, received: JSON.stringify(response.output).length });
  const items = rawItems(body);
  const state: ResponsesState = { api: 'responses', model: request.settings.model, text, toolCalls: calls, items };
  return {
    text,
    toolCalls: calls,
    finish: finishOf(
      response,
      calls.length > 0,
      contents.some((part) => part.refusal !== undefined),
    ),
    usage,
    reasoned: usage.reasoning > 0 || response.output.some((item) => item.type === 'reasoning'),
    providerState: state,
  };
}

/** The items as they came: a parsed copy has defaults in it, and they have to go back unchanged. */
function rawItems(body: unknown): Record<string, unknown>[] {
  const raw = z.object({ output: z.array(z.record(z.string(), z.unknown())) }).safeParse(body);
  return raw.success ? raw.data.output : [];
}

function parseBody(body: unknown): Body {
  if (body === null || body === undefined) return { output: [], usage: undefined };
  const parsed = Body.safeParse(body);
  if (!parsed.success) throw modelError('invalid-reply', 'the reply is not a response', parsed.error);
  const { status, error } = parsed.data;
  if (error || status === 'failed') throw failed(error ?? {});
  if (status !== 'completed' && status !== 'incomplete') {
    throw modelError('invalid-reply', `the response ended as ${status ?? 'nothing'}`);
  }
  return parsed.data;
}

const statusByCode = new Map([
  ['server_error', 500],
  ['rate_limit_exceeded', 429],
]);

const failed = (error: { code?: string | null | undefined }) =>
  APIError.generate(statusByCode.get(error.code ?? 'server_error') ?? 400, { error }, undefined, new Headers());

function finishOf(response: Body, callsTools: boolean, refused: boolean): ChatReply['finish'] {
  const reason = response.status === 'incomplete' ? response.incomplete_details?.reason : undefined;
  if (reason === 'content_filter' || refused) return 'filtered';
  if (response.status === 'incomplete') return 'length';
  return callsTools ? 'tool-calls' : 'stop';
}
