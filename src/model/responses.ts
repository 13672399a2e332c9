import type OpenAI from 'openai';
import type { ResponseCreateParamsNonStreaming, ResponseInputItem } from 'openai/resources/responses/responses';
import type { ChatRequest, Message } from '../domain/ports/index.ts';
import type { ModelApi } from './model-api.ts';
import { carries, type OptionalPart } from './request-parts.ts';
import { readResponse } from './responses-reply.ts';
import { assistantItems } from './responses-state.ts';

/**
 * The Responses API (https://platform.openai.com/docs/api-reference/responses), used without state: nothing is stored
 * at the provider, and its reasoning travels encrypted with the conversation.
 */
export function responses(client: OpenAI): ModelApi {
  return {
    async ask(request, without, signal) {
      const params = responseParams(request, without);
      const body: unknown = await client.post('/responses', { body: params, signal });
      return readResponse(body, request, JSON.stringify(params.input).length);
    },
  };
}

/** The least that the API accepts as `max_output_tokens`. */
const LEAST_OUTPUT_TOKENS = 16;

function responseParams(request: ChatRequest, without: ReadonlySet<OptionalPart>): ResponseCreateParamsNonStreaming {
  const { model, temperature, topP, reasoningEffort } = request.settings;
  const sends = (part: OptionalPart) => carries(request, without, part);
  const withReasoning = sends('reasoningState');
  return {
    model,
    input: request.messages.flatMap((message) => wireItems(message, model, withReasoning)),
    store: false,
    max_output_tokens: Math.max(LEAST_OUTPUT_TOKENS, request.maxOutputTokens),
    ...(sends('encryptedReasoning') && { include: ['reasoning.encrypted_content' as const] }),
    ...(request.tools.length > 0 && { tools: request.tools.map(wireTool) }),
    ...(sends('temperature') && temperature !== undefined && { temperature }),
    ...(sends('topP') && topP !== undefined && { top_p: topP }),
    ...(sends('reasoningEffort') && reasoningEffort !== undefined && { reasoning: { effort: reasoningEffort } }),
  };
}

function wireItems(message: Message, model: string, withReasoning: boolean): ResponseInputItem[] {
  switch (message.role) {
    case 'assistant':
      return assistantItems(message, model, withReasoning);
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.callId, output: message.text.toWellFormed() }];
    default:
      return [{ role: message.role, content: message.text.toWellFormed() }];
  }
}

/** `strict` is on by default here and accepts only a part of JSON Schema. */
const wireTool = ({ name, description, parameters }: ChatRequest['tools'][number]) => ({
  type: 'function' as const,
  name,
  description,
  parameters,
  strict: false,
});
