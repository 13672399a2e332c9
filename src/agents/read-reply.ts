import type { ChatReply, ToolCall } from '../domain/ports/chat-model.ts';
import type { ActionProtocol, Recoveries } from '../domain/settings.ts';
import { parseJson, strictJson } from './json-in-text.ts';
import { type FitsTool, implicitToolCall } from './recoveries/implicit-tool-call.ts';
import { historicName, meantTool } from './recoveries/tool-name.ts';
import { between, withoutThinking } from './tagged-text.ts';

/**
 * A call that a reply asked for. `args` is undefined where what the model wrote is no JSON. The provider knows the id of
 * a `native` call only; the others have one for the trajectory.
 */
export interface RequestedCall {
  id: string;
  native: boolean;
  name: string;
  args: unknown;
  raw: string;
  recovered: boolean;
}

type UnnamedCall = Omit<RequestedCall, 'id' | 'native'>;

export interface ReadingRules {
  step: number;
  protocol: ActionProtocol;
  recoveries: Pick<Recoveries, 'implicitToolCalls'>;
  tools: string[];
  fits: FitsTool;
  /** Whether these characters stand word for word in what the model has read. */
  isQuoted(characters: string): boolean;
}

/** The calls of a reply, in order: the provider's, or those in tagged blocks, or one that can only be meant. */
export function callsIn(reply: ChatReply, rules: ReadingRules): RequestedCall[] {
  if (rules.protocol === 'native' && reply.toolCalls.length > 0)
    return reply.toolCalls.map((call) => nativeCall(call, rules));
  return callsInText(reply.text, rules).map((call, index) => ({
    ...call,
    id: `step-${rules.step}-${index + 1}`,
    native: false,
  }));
}

function nativeCall(call: ToolCall, rules: ReadingRules): RequestedCall {
  const name = nameOf(call.name, rules);
  const { args, recovered } = argumentsOf(call, rules);
  return { id: call.id, native: true, name, args, raw: call.arguments, recovered: recovered || name !== call.name };
}

/** A name that no provider would take back in a history is made one that it takes. */
function nameOf(name: string, rules: ReadingRules): string {
  const meant = rules.recoveries.implicitToolCalls ? meantTool(name, rules.tools) : undefined;
  return meant ?? (rules.tools.includes(name) ? name : historicName(name));
}

/**
 * A file or an issue may hold what looks like a call, for a model to repeat. What is quoted word for word is not done.
 */
function callsInText(text: string, rules: ReadingRules): UnnamedCall[] {
  return requestsInText(text, rules).filter((call) => !rules.isQuoted(call.raw.trim()));
}

function requestsInText(text: string, rules: ReadingRules): UnnamedCall[] {
  const tagged = taggedCalls(text, rules);
  if (rules.protocol === 'text' && tagged.length > 0) return tagged;
  if (!rules.recoveries.implicitToolCalls) return [];
  if (tagged.length > 0 && tagged.every((call) => rules.fits(call.name, call.args)))
    return tagged.map((call) => ({ ...call, recovered: true }));
  const implicit = implicitToolCall(withoutThinking(text), rules.tools, rules.fits);
  return implicit ? [{ ...implicit, recovered: true }] : [];
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

function taggedCalls(text: string, rules: ReadingRules): UnnamedCall[] {
  const spoken = withoutThinking(text);
  // An unclosed block is malformed: the recovery may still understand it.
  if (spoken.split('<tool_call>').length !== spoken.split('</tool_call>').length) return [];
  return between(spoken, '<tool_call>', '</tool_call>').map((block) => {
    const value = rules.recoveries.implicitToolCalls ? parseJson(block.trim()) : strictJson(block.trim());
    const call = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
    const name = typeof call['name'] === 'string' ? nameOf(call['name'], rules) : '';
    return {
      name,
      args: name === '' ? undefined : (call['arguments'] ?? {}),
      raw: block,
      recovered: false,
    };
  });
}
