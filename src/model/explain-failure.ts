import { APIConnectionError, APIError } from 'openai';
import { ModelError, type ModelFailure } from '../domain/errors.ts';
import type { TokenUsage } from '../domain/usage.ts';
import { type OptionalPart, partNamed } from './request-parts.ts';
import { retryAfterMs } from './retry-after.ts';

/** Why an attempt brought no reply. `what` is for people; decisions rest on the other fields. */
export type Failure = {
  what: string;
  cause: unknown;
} /** `afterMs`: how long the server asks to wait. `wasted`: tokens of a reply that was paid for and held nothing. */ & (
  | { kind: 'passing'; failure: Passing; afterMs?: number; wasted?: TokenUsage }
  | { kind: 'part-refused'; part: OptionalPart }
  /** Refused without saying what is wrong. `failure` is what it most likely is. */
  | { kind: 'unexplained'; failure: 'refused' | 'unknown-model' }
  | { kind: 'final'; failure: Final; remedy?: string }
);
type Passing = 'unreachable' | 'rate-limited' | 'invalid-reply';
type Final = Exclude<ModelFailure, 'recording-ended'>;

/** What has to be known beside the error itself. */
export interface Circumstances {
  now: Date;
  /** The address has answered before: then a refused connection may pass, as it does when a server restarts. */
  reached: boolean;
}

/**
 * Decides from status, error code and parameter, never from the message. Codes: https://platform.openai.com/docs/guides/error-codes,
 * Azure OpenAI's content filter, llama.cpp's and vLLM's context errors.
 * @throws the error itself when it is no failure of a call.
 */
export function explainFailure(error: unknown, { now, reached }: Circumstances): Failure {
  if (error instanceof APIConnectionError) return explainConnection(error, reached);
  if (error instanceof APIError) return explainRefusal(error, now);
  if (error instanceof ModelError) return final(failureOf(error), error.message, error);
  throw error;
}

const failureByCode = new Map<string, Final>([
  ['invalid_api_key', 'unauthorized'],
  ['model_not_found', 'unknown-model'],
  ['DeploymentNotFound', 'unknown-model'],
  ['context_length_exceeded', 'context-overflow'],
  ['exceed_context_size_error', 'context-overflow'],
  ['string_above_max_length', 'context-overflow'],
  ['tokens_limit_reached', 'context-overflow'],
  ['request_too_large', 'context-overflow'],
  ['content_filter', 'refused'],
  ['content_policy_violation', 'refused'],
  ['ResponsibleAIPolicyViolation', 'refused'],
  ['invalid_prompt', 'refused'],
  ['bio_policy', 'refused'],
  ['misalignment_policy_violation', 'refused'],
  ['insufficient_quota', 'rate-limited'],
  ['billing_hard_limit_reached', 'rate-limited'],
  ['billing_not_active', 'rate-limited'],
]);

const failureByParameter = new Map<string, Final>([
  ['model', 'unknown-model'],
  ['tools', 'no-tools'],
  ['tools.type', 'no-tools'],
  ['tool_choice', 'no-tools'],
  ['input_tokens', 'context-overflow'],
]);

const failureByStatus = new Map<number, Final>([
  [401, 'unauthorized'],
  [402, 'rate-limited'],
  [403, 'unauthorized'],
  [413, 'context-overflow'],
]);

const PASSING_STATUS = new Set([408, 409, 425, 429]);

function explainRefusal(error: APIError, now: Date): Failure {
  const status = error.status ?? 0;
  const what = error.message;
  const parameter = withoutIndexes(error.param ?? '');
  if (parameter.startsWith('tools.') && parameter !== 'tools.type') return final('refused', what, error);
  const known = failureByCode.get(error.code ?? '') ?? failureByCode.get(error.type ?? '');
  if (known !== undefined) return final(known, what, error);
  if (error.code === 'invalid_encrypted_content')
    return { kind: 'part-refused', part: 'reasoningState', what, cause: error };
  if (status >= 500 || PASSING_STATUS.has(status)) return passing(error, now);
  const part = partNamed(parameter);
  if (part !== undefined) return { kind: 'part-refused', part, what, cause: error };
  const failure = failureByStatus.get(status) ?? failureByParameter.get(parameter);
  if (failure !== undefined) return final(failure, what, error);
  return { kind: 'unexplained', failure: status === 404 ? 'unknown-model' : 'refused', what, cause: error };
}

/** `tools[0].type` is `tools.type`. */
const withoutIndexes = (parameter: string): string => parameter.replaceAll(/\[\d{1,9}\]/g, '');

function passing(error: APIError, now: Date): Failure {
  const failure = error.status === 429 ? 'rate-limited' : 'unreachable';
  if (error.headers?.get('x-should-retry') === 'false') return final(failure, error.message, error);
  const afterMs = retryAfterMs(error.headers, now);
  return { kind: 'passing', failure, what: error.message, cause: error, ...(afterMs !== undefined && { afterMs }) };
}

/** Codes of Node and undici for what may be over in a moment. Every other one (no such host, a certificate) stays. */
const PASSING_CODE = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const RESTARTING_CODE = new Set(['ECONNREFUSED', 'ENOTFOUND']);

function explainConnection(error: APIConnectionError, reached: boolean): Failure {
  const cause = error.cause;
  if (cause instanceof ModelError) return final(failureOf(cause), cause.message, cause);
  const code = codeOf(cause);
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return final('invalid-reply', 'the reply does not end', error);
  const what = `no connection (${code ?? 'unknown reason'})`;
  if (code !== undefined && (PASSING_CODE.has(code) || (reached && RESTARTING_CODE.has(code))))
    return { kind: 'passing', failure: 'unreachable', what, cause: error };
  return final('unreachable', what, error);
}

/** Happy-eyeballs failures are an AggregateError that carries the code of its parts. */
function codeOf(cause: unknown): string | undefined {
  if (typeof cause !== 'object' || cause === null) return undefined;
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return 'cause' in cause ? codeOf(cause.cause) : undefined;
}

const failureOf = (error: ModelError): Final => (error.failure === 'recording-ended' ? 'invalid-reply' : error.failure);

const final = (failure: Final, what: string, cause: unknown): Failure => ({ kind: 'final', failure, what, cause });
