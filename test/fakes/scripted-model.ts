import { CancelledError } from '#src/domain/errors.ts';
import type { ChatModel, ChatReply, ChatRequest } from '#src/domain/ports/index.ts';

export type ScriptedReply = Partial<ChatReply> | Error;

/** A ChatModel that answers as the test says, and keeps a frozen copy of every request. */
export interface ScriptedModel extends ChatModel {
  readonly requests: ChatRequest[];
}

/**
 * A stand-in for a language model. `reply` sees each request and gives the parts of a reply that matter; the rest is
 * filled in: `finish` follows from the tool calls, usage is 100 tokens in and 10 out, and a call costs $0.001. An Error
 * that it returns or throws is what the call fails with.
 */
export function scriptedModel(reply: (request: ChatRequest) => ScriptedReply | Promise<ScriptedReply>): ScriptedModel {
  const requests: ChatRequest[] = [];
  return {
    requests,
    async complete(request, signal) {
      if (signal.aborted) throw cancelledBy(signal);
      requests.push(structuredClone(request));
      const answer = await unlessStopped(async () => reply(request), signal);
      if (answer instanceof Error) throw answer;
      return { ...emptyReply(answer.toolCalls !== undefined && answer.toolCalls.length > 0), ...answer };
    },
    price: () => 0.001,
    describe: () => ({ api: 'scripted', address: 'test', recorded: false }),
  };
}

/** A scripted model that gives these replies in order, and fails the test when it is asked once more. */
export function modelSaying(...replies: ScriptedReply[]): ScriptedModel {
  const left = [...replies];
  return scriptedModel((request) => {
    const next = left.shift();
    if (next === undefined) throw new Error(`the script has no reply for ${request.agent}, step ${request.step}`);
    return next;
  });
}

/** A reply that calls one tool with these arguments. */
export function callingTool(name: string, args: Record<string, unknown>, id = `call-${name}`): Partial<ChatReply> {
  return { toolCalls: [{ id, name, arguments: JSON.stringify(args) }] };
}

function emptyReply(callsTools: boolean): ChatReply {
  return {
    text: '',
    toolCalls: [],
    finish: callsTools ? 'tool-calls' : 'stop',
    usage: { input: 100, cached: 0, output: 10, reasoning: 0 },
    usd: 0.001,
    reasoned: false,
    dropped: [],
  };
}

/** Leaves nothing hanging on the signal, which many calls share. */
async function unlessStopped<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(cancelledBy(signal));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function cancelledBy(signal: AbortSignal): CancelledError {
  return signal.reason instanceof CancelledError ? signal.reason : new CancelledError('the test');
}
