import type { ChatReply, ChatRequest } from '../domain/ports/index.ts';
import type { OptionalPart } from './request-parts.ts';

/** A reply before anybody has said what it costs. */
export type ApiReply = Omit<ChatReply, 'usd' | 'dropped'>;

/** One of the two HTTP APIs. */
export interface ModelApi {
  /**
   * Asks once, without the named parts of the request.
   * @throws whatever the client throws, ModelError `invalid-reply`; `explainFailure` makes sense of both.
   */
  ask(request: ChatRequest, without: ReadonlySet<OptionalPart>, signal: AbortSignal): Promise<ApiReply>;
}
