/** A reply of the stand-in for a model, in no API's shape. */
export interface ServedReply {
  text?: string;
  toolCalls?: { name: string; arguments: Record<string, unknown> | string; id?: string }[];
  /** A thought: `reasoning_content` in one API, an encrypted reasoning item in the other. */
  reasoning?: string;
  finish?: 'length' | 'filtered';
  usage?: { input: number; cached?: number; output: number; reasoning?: number };
}

const argumentsText = (value: Record<string, unknown> | string): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const idOf = (call: { id?: string }, number: number, index: number): string => call.id ?? `call_${number}_${index}`;

/** A body of https://platform.openai.com/docs/api-reference/chat/object. */
export function chatCompletionBody(reply: ServedReply, model: string, number: number): unknown {
  const tool_calls = reply.toolCalls?.map((call, index) => ({
    id: idOf(call, number, index),
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call.arguments) },
  }));
  const finish = { length: 'length', filtered: 'content_filter' } as const;
  const usage = reply.usage ?? { input: 100, output: 10 };
  return {
    id: `chatcmpl-${number}`,
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text ?? null,
          refusal: null,
          ...(reply.reasoning !== undefined && { reasoning_content: reply.reasoning }),
          ...(tool_calls && { tool_calls }),
        },
        finish_reason: reply.finish ? finish[reply.finish] : tool_calls ? 'tool_calls' : 'stop',
        logprobs: null,
      },
    ],
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
      completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    },
  };
}

/** A body of https://platform.openai.com/docs/api-reference/responses/object. */
export function responseBody(reply: ServedReply, model: string, number: number): unknown {
  const usage = reply.usage ?? { input: 100, output: 10 };
  const reason = reply.finish === 'length' ? 'max_output_tokens' : 'content_filter';
  return {
    id: `resp_${number}`,
    object: 'response',
    created_at: 0,
    status: reply.finish ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: reply.finish ? { reason } : null,
    model,
    output: outputItems(reply, number),
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached ?? 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
      total_tokens: usage.input + usage.output,
    },
  };
}

function outputItems(reply: ServedReply, number: number): unknown[] {
  const thought = {
    type: 'reasoning',
    id: `rs_${number}`,
    summary: [],
    encrypted_content: `sealed:${reply.reasoning}`,
  };
  const message = {
    type: 'message',
    id: `msg_${number}`,
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: reply.text, annotations: [] }],
  };
  const calls = (reply.toolCalls ?? []).map((call, index) => ({
    type: 'function_call',
    id: `fc_${number}_${index}`,
    call_id: idOf(call, number, index),
    name: call.name,
    arguments: argumentsText(call.arguments),
    status: 'completed',
  }));
  return [
    ...(reply.reasoning === undefined ? [] : [thought]),
    ...(reply.text === undefined ? [] : [message]),
    ...calls,
  ];
}
