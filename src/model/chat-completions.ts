import type OpenAI from 'openai';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ChatRequest, Message } from '../domain/ports/index.ts';
import { readCompletion } from './chat-completions-reply.ts';
import { assistantMessage } from './chat-completions-state.ts';
import type { ModelApi } from './model-api.ts';
import { carries, type OptionalPart } from './request-parts.ts';

/**
 * The Chat Completions API (https://platform.openai.com/docs/api-reference/chat), which vLLM, SGLang, Ollama, DeepSeek,
 * OpenRouter and others speak too. OpenAI's own newer models refuse tools together with reasoning here.
 */
export function chatCompletions(client: OpenAI): ModelApi {
  return {
    async ask(request, without, signal) {
      const params = completionParams(request, without);
      const body: unknown = await client.post('/chat/completions', { body: params, signal });
      return readCompletion(body, request, JSON.stringify(params.messages).length);
    },
  };
}

function completionParams(
  request: ChatRequest,
  without: ReadonlySet<OptionalPart>,
): ChatCompletionCreateParamsNonStreaming {
  const { model, temperature, topP, reasoningEffort } = request.settings;
  const sends = (part: OptionalPart) => carries(request, without, part);
  return {
    model,
    messages: request.messages.map((message) => wireMessage(message, model)),
    ...(request.tools.length > 0 && { tools: request.tools.map(wireTool) }),
    ...(sends('maxCompletionTokens')
      ? { max_completion_tokens: request.maxOutputTokens }
      : { max_tokens: request.maxOutputTokens }),
    ...(sends('temperature') && temperature !== undefined && { temperature }),
    ...(sends('topP') && topP !== undefined && { top_p: topP }),
    ...(sends('reasoningEffort') && reasoningEffort !== undefined && { reasoning_effort: reasoningEffort }),
  };
}

function wireMessage(message: Message, model: string): ChatCompletionMessageParam {
  switch (message.role) {
    case 'assistant':
      return assistantMessage(message, model);
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text.toWellFormed() };
    default:
      return { role: message.role, content: message.text.toWellFormed() };
  }
}

const wireTool = ({ name, description, parameters }: ChatRequest['tools'][number]) => ({
  type: 'function' as const,
  function: { name, description, parameters },
});
