import type { ChatReply, ToolCall } from '../domain/ports/chat-model.ts';
import type { ActionProtocol, Recoveries } from '../domain/settings.ts';
import { parseJson, strictJson } from './json-in-text.ts';
import { type FitsTool, implicitToolCall } from './recoveries/implicit-tool-call.ts';
import { between, withoutThinking } from './tagged-text.ts';

/**
 * A call that a reply asked for. `args` is undefined where what the model wrote is no JSON. Only a `native` call has an
 * id that its result can refer to.
 */
export interface RequestedCall {
  name: string;
  args: unknown;
  raw: string;
  nativeId: string | undefined;
  recovered: boolean;
}

export interface ReadingRules {
  protocol: ActionProtocol;
  recoveries: Pick<Recoveries, 'implicitToolCalls'>;
  tools: string[];
  fits: FitsTool;
}

/** The calls of a reply, in order: the provider's, or those in tagged blocks, or one that can only be meant. */
export function callsIn(reply: ChatReply, rules: ReadingRules): RequestedCall[] {
  const asked = rules.protocol === 'native' ? nativeCalls(reply, rules) : taggedCalls(reply.text, rules);
  if (asked.length > 0 || !rules.recoveries.implicitToolCalls) return asked;
  const tagged = taggedCalls(reply.text, rules);
  if (tagged.length > 0 && tagged.every((call) => rules.fits(call.name, call.args)))
    return tagged.map((call) => ({ ...call, recovered: true }));
  const implicit = implicitToolCall(withoutThinking(reply.text), rules.tools, rules.fits);
  if (implicit === undefined) return [];
  const { name, args } = implicit;
  return [{ name, args, raw: JSON.stringify(args), nativeId: undefined, recovered: true }];
}

function nativeCalls(reply: ChatReply, rules: ReadingRules): RequestedCall[] {
  return reply.toolCalls.map((call) => ({
    name: call.name,
    ...argumentsOf(call, rules),
    raw: call.arguments,
    nativeId: call.id,
  }));
}

function argumentsOf(call: ToolCall, rules: ReadingRules): { args: unknown; recovered: boolean } {
  const text = call.arguments.trim() === '' ? '{}' : call.arguments;
  const args = objectIn(strictJson(text));
  if (args !== undefined || !rules.recoveries.implicitToolCalls) return { args, recovered: false };
  const guessed = parseJson(text);
  return { args: guessed, recovered: guessed !== undefined };
}

// Some models put the JSON of their arguments into a JSON string.
const objectIn = (value: unknown): unknown => (typeof value === 'string' ? strictJson(value) : value);

function taggedCalls(text: string, rules: ReadingRules): RequestedCall[] {
  const spoken = withoutThinking(text);
  // An unclosed block is malformed: the recovery may still understand it.
  if (spoken.split('<tool_call>').length !== spoken.split('</tool_call>').length) return [];
  return between(spoken, '<tool_call>', '</tool_call>').map((block) => {
    const value = rules.recoveries.implicitToolCalls ? parseJson(block.trim()) : strictJson(block.trim());
    const call = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
    const name = typeof call['name'] === 'string' ? call['name'] : '';
    return {
      name,
      args: name === '' ? undefined : (call['arguments'] ?? {}),
      raw: block,
      nativeId: undefined,
      recovered: false,
    };
  });
}
