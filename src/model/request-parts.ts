import type { ChatRequest } from '../domain/ports/index.ts';

/** What a model may refuse in a request and still answer the rest of it. */
export type OptionalPart =
  | 'temperature'
  | 'topP'
  | 'reasoningEffort'
  | 'maxCompletionTokens'
  | 'encryptedReasoning'
  | 'reasoningState';

export const samplingParts = ['temperature', 'topP', 'reasoningEffort'] as const;

/** Names that the two APIs give to these parts in `error.param`. */
const partByParameter = new Map<string, OptionalPart>([
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['reasoning_effort', 'reasoningEffort'],
  ['reasoning', 'reasoningEffort'],
  ['reasoning.effort', 'reasoningEffort'],
  ['max_completion_tokens', 'maxCompletionTokens'],
  ['include', 'encryptedReasoning'],
]);

export const partNamed = (parameter: string): OptionalPart | undefined => partByParameter.get(parameter);

/** The sampling settings of this request that are in `without`, by the names that RoleSettings gives them. */
export function droppedSampling(request: ChatRequest, without: ReadonlySet<OptionalPart>): string[] {
  return samplingParts.filter((part) => without.has(part) && request.settings[part] !== undefined);
}

/** True when a request made without these parts still carries `part`. */
export function carries(request: ChatRequest, without: ReadonlySet<OptionalPart>, part: OptionalPart): boolean {
  if (without.has(part)) return false;
  const sampling = samplingParts.find((name) => name === part);
  return sampling === undefined || request.settings[sampling] !== undefined;
}

/** What each model was seen to refuse and to accept. */
export interface PartsMemory {
  refusedBy(request: ChatRequest): ReadonlySet<OptionalPart>;
  refuse(request: ChatRequest, parts: Iterable<OptionalPart>): void;
  accept(request: ChatRequest): void;
  hasAnswered(request: ChatRequest): boolean;
}

/**
 * A model is remembered separately with and without tools: some refuse reasoning effort beside tools, and only there
 * (Chat Completions, https://github.com/openai/openai-openapi/issues/541).
 */
export function partsMemory(): PartsMemory {
  const refused = new Map<string, Set<OptionalPart>>();
  const answered = new Set<string>();
  const keyOf = (request: ChatRequest) => JSON.stringify([request.settings.model, request.tools.length > 0]);
  return {
    refusedBy: (request) => refused.get(keyOf(request)) ?? new Set(),
    refuse(request, parts) {
      refused.set(keyOf(request), new Set([...(refused.get(keyOf(request)) ?? []), ...parts]));
    },
    accept: (request) => void answered.add(keyOf(request)),
    hasAnswered: (request) => answered.has(keyOf(request)),
  };
}
