import { ModelError, type ModelFailure } from '../domain/errors.ts';
import type { ChatModel, ChatReply, ChatRequest } from '../domain/ports/index.ts';

/** What one call with a tool showed about a model. */
export interface ModelProbe {
  /** Set where there was no reply. */
  failure?: ModelFailure;
  callsTools: boolean;
  reasons: boolean;
  /** US dollars of this one call; absent where the price is unknown. */
  usd?: number;
  /** Sampling settings that the model refuses. */
  dropped: string[];
  /** What is wrong or weaker than it should be, with the remedy. With a fatal one, no agent can work. */
  problems: { message: string; remedy: string; fatal: boolean }[];
}

/** The tool that the prompt of a probe has to ask for: the value of `tool` in `prompts/doctor/probe.md`. */
export const PROBE_TOOL = 'report_total';

/** `text` asks for a call of PROBE_TOOL; `hash` is the one of the prompts of `doctor`. */
export interface ProbePrompt {
  text: string;
  hash: string;
}

const OUTPUT_TOKENS = 4_000;

const REPORT_TOTAL = {
  name: PROBE_TOOL,
  description: 'Reports the total number of screws.',
  parameters: {
    type: 'object',
    properties: { total: { type: 'integer', description: 'The total number of screws.' } },
    required: ['total'],
    additionalProperties: false,
  },
};

/**
 * Asks a model once, with a tool, and says what it can do. A model that fails is a value too.
 * @throws CancelledError when `signal` was aborted.
 */
export async function probeModel(
  model: ChatModel,
  settings: ChatRequest['settings'],
  prompt: ProbePrompt,
  signal: AbortSignal,
): Promise<ModelProbe> {
  const request: ChatRequest = {
    role: 'doctor',
    agent: 'doctor',
    step: 1,
    promptHash: prompt.hash,
    settings,
    messages: [{ role: 'user', text: prompt.text }],
    tools: [REPORT_TOTAL],
    maxOutputTokens: OUTPUT_TOKENS,
  };
  try {
    return judged(await model.complete(request, signal), settings.model);
  } catch (error) {
    if (error instanceof ModelError) return failed(error);
    throw error;
  }
}

function failed({ failure, message, remedy }: ModelError): ModelProbe {
  // Without tools a model can still be driven through the text protocol.
  const fatal = failure !== 'no-tools';
  return { failure, callsTools: false, reasons: false, dropped: [], problems: [{ message, remedy, fatal }] };
}

function judged(reply: ChatReply, model: string): ModelProbe {
  const callsTools = reply.toolCalls.some((call) => call.name === PROBE_TOOL && isTotal(call.arguments));
  const problems = [
    !callsTools && toolProblem(reply, model),
    !reply.reasoned && {
      message: `${model} does not show that it reasons`,
      remedy:
        'Set a reasoning effort, use the responses API for OpenAI models, or choose a reasoning model at least for the Localizer.',
      fatal: false,
    },
    reply.usd === undefined && {
      message: `the price of ${model} is unknown: its calls are limited by tokens and not by dollars`,
      remedy: 'Give its price per million tokens in the price table.',
      fatal: false,
    },
    reply.dropped.length > 0 && {
      message: `${model} refuses ${reply.dropped.join(', ')} and is asked without`,
      remedy: 'Nothing has to be done; leave the setting out to make it explicit.',
      fatal: false,
    },
  ].filter((problem) => problem !== false);
  const { reasoned: reasons, dropped, usd } = reply;
  return { callsTools, reasons, dropped, problems, ...(usd !== undefined && { usd }) };
}

function toolProblem(reply: ChatReply, model: string): ModelProbe['problems'][number] {
  if (reply.finish === 'length') {
    return {
      message: `${model} used ${OUTPUT_TOKENS} tokens without coming to the tool call`,
      remedy: 'Lower the reasoning effort, or choose another model.',
      fatal: false,
    };
  }
  const message = `${model} was asked to call a tool and did not call it properly`;
  const remedy = 'Choose a model that calls tools, switch on tool calls in its server, or use the text protocol.';
  return { message, remedy, fatal: false };
}

function isTotal(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'total' in value && Number.isInteger(value.total);
  } catch {
    return false;
  }
}
