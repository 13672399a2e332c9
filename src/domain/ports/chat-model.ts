import type { RoleSettings } from '../settings.ts';
import type { AgentRole } from '../stage.ts';
import type { TokenUsage } from '../usage.ts';

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the arguments: an object. */
  parameters: Record<string, unknown>;
}

/** `arguments` is the raw text of the model: parsed, and doubted, by whoever runs the tool. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** `providerState` is whatever the provider wants to see again (reasoning items, `reasoning_content`), unchanged. */
export type Message =
  | { role: 'system'; text: string }
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls: ToolCall[]; providerState?: unknown }
  | { role: 'tool'; callId: string; name: string; text: string };

export interface ChatRequest {
  /** Who asks: metering, progress and the recorded model go by these three. */
  role: AgentRole;
  agent: string;
  step: number;
  /** Hash over the templates and tool descriptions behind this conversation, not over their rendered text. */
  promptHash: string;
  settings: Pick<RoleSettings, 'model' | 'temperature' | 'topP' | 'reasoningEffort'>;
  messages: Message[];
  tools: ToolSpec[];
  maxOutputTokens: number;
}

export interface ChatReply {
  text: string;
  toolCalls: ToolCall[];
  finish: 'stop' | 'tool-calls' | 'length' | 'filtered';
  usage: TokenUsage;
  /** US dollars, or undefined where the model's price is unknown. */
  usd: number | undefined;
  /** True when the reply shows that the model reasoned before it spoke. */
  reasoned: boolean;
  providerState?: unknown;
  /** Sampling settings that the model refused and was then asked without. */
  dropped: string[];
}

/** A language model behind any API. Retries what may pass (with jitter and Retry-After); what cannot is a ModelError. */
export interface ChatModel {
  /** @throws ModelError when it failed for good, CancelledError when `signal` was aborted. */
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatReply>;
  /** US dollars of this usage, or undefined where the price is unknown. */
  price(model: string, usage: TokenUsage): number | undefined;
  /** How to name it to people: API and address without credentials; `recorded` when it plays stored replies. */
  describe(): { api: string; address: string; recorded: boolean };
}
