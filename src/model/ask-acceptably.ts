import type { ModelError } from '../domain/errors.ts';
import type { ChatRequest } from '../domain/ports/index.ts';
import type { Outcome } from './attempt.ts';
import { explainByAsking } from './explain-by-asking.ts';
import type { Failure } from './explain-failure.ts';
import type { ApiReply } from './model-api.ts';
import { modelError } from './model-errors.ts';
import type { Patience } from './patience.ts';
import { carries, droppedSampling, type OptionalPart, type PartsMemory, samplingParts } from './request-parts.ts';

export type Accepted = { reply: ApiReply; dropped: string[] };

export interface Asking {
  patience: Patience;
  memory: PartsMemory;
  /** Where the model is, for messages. */
  address: string;
}

/**
 * Asks without the parts that the model refuses, which it learns from the model's refusals and remembers.
 * @throws ModelError when it failed for good, CancelledError.
 */
export async function askAcceptably(request: ChatRequest, asking: Asking, signal: AbortSignal): Promise<Accepted> {
  const { patience, memory } = asking;
  // Reasoning that a provider cannot read any more is a matter of this conversation, not of the model.
  const unreadable = new Set<OptionalPart>();
  for (;;) {
    const without = new Set([...memory.refusedBy(request), ...unreadable]);
    const outcome = await patience.ask(request, without, signal);
    if ('reply' in outcome) {
      memory.accept(request);
      return { reply: outcome.reply, dropped: droppedSampling(request, without) };
    }
    const { failure } = outcome;
    if (failure.kind === 'part-refused' && carries(request, without, failure.part)) {
      if (failure.part === 'reasoningState') unreadable.add(failure.part);
      else memory.refuse(request, [failure.part]);
    } else if (failure.kind === 'unexplained') {
      return await askWithLess(request, { ...asking, without, failure }, signal);
    } else {
      throw errorOf(failure, request, asking.address);
    }
  }
}

interface Refused extends Asking {
  without: ReadonlySet<OptionalPart>;
  failure: Extract<Failure, { kind: 'unexplained' }>;
}

/** A server that does not say what it refuses is asked with less: what it then accepts says what it was. */
async function askWithLess(request: ChatRequest, refused: Refused, signal: AbortSignal): Promise<Accepted> {
  const { patience, memory, without, failure } = refused;
  for (const parts of partsToTry(request, refused)) {
    const lesser = new Set([...without, ...parts]);
    const outcome: Outcome = await patience.ask(request, lesser, signal);
    if ('reply' in outcome) {
      memory.refuse(request, parts);
      memory.accept(request);
      return { reply: outcome.reply, dropped: droppedSampling(request, lesser) };
    }
  }
  const ask = (lesser: ChatRequest) => patience.askOnce(lesser, new Set([...without, ...samplingParts]), signal);
  const explained = await explainByAsking(request, failure.failure, ask);
  throw errorOf({ ...failure, kind: 'final', failure: explained }, request, refused.address);
}

/** Nothing where the model has answered this kind of request before: then it is none of these parts. */
function partsToTry(request: ChatRequest, { memory, without, failure }: Refused): OptionalPart[][] {
  if (failure.failure === 'unknown-model' || memory.hasAnswered(request)) return [];
  const sampling = samplingParts.filter((part) => carries(request, without, part));
  const candidates: OptionalPart[][] = [
    sampling,
    carries(request, without, 'maxCompletionTokens') ? ['maxCompletionTokens'] : [],
  ];
  return candidates.filter((parts) => parts.length > 0);
}

const RESPONSES_REMEDY =
  'Ask this model through the responses API: over chat completions it does not call tools while it reasons.';

function errorOf(failure: Failure, request: ChatRequest, address: string): ModelError {
  const what = `${request.settings.model} at ${address}: ${failure.what}`;
  if (failure.kind !== 'part-refused') return modelError(failure.failure, what, failure.cause);
  const trap = failure.part === 'reasoningEffort' && request.tools.length > 0;
  return trap
    ? modelError('no-tools', what, failure.cause, RESPONSES_REMEDY)
    : modelError('refused', what, failure.cause);
}
