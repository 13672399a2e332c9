import { ModelError, type ModelFailure } from '../domain/errors.ts';

const remedies: Record<Exclude<ModelFailure, 'recording-ended'>, string> = {
  unreachable: 'Check the base URL, the network and the certificates, and whether the provider reports an outage.',
  unauthorized: 'Check the API key: that it belongs to this address, is not revoked, and may use this model.',
  'unknown-model': 'Check the name of the model, and that the base URL is the one of its API (it usually ends in /v1).',
  'no-tools':
    'Choose a model that calls tools, or the text protocol. An OpenAI reasoning model calls tools only through the responses API.',
  'context-overflow': 'Lower contextTokens or outputTokens for this role, or choose a model with a longer context.',
  'rate-limited': 'Wait, run fewer agents at once, or raise the limit or the credit of the account.',
  refused: "Read the provider's reason. Its policy or this request has to change; asking again does not help.",
  'invalid-reply': 'Check that the base URL is the one of an OpenAI-compatible API (it usually ends in /v1).',
};

/** A ModelError with the remedy that fits. `what` says what happened; `remedy` replaces the usual one. */
export function modelError(
  failure: Exclude<ModelFailure, 'recording-ended'>,
  what: string,
  cause?: unknown,
  remedy = remedies[failure],
): ModelError {
  return new ModelError(failure, what, remedy, cause === undefined ? undefined : { cause });
}
