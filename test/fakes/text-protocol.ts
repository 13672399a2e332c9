import type { ActionProtocol } from '#src/domain/settings.ts';
import type { ScriptedReply } from './scripted-model.ts';

/** The same reply as a model gives it that has no native calls: each call in a tagged block of its text. */
export function spokenIn(protocol: ActionProtocol, reply: ScriptedReply): ScriptedReply {
  if (protocol === 'native' || reply instanceof Error || !reply.toolCalls) return reply;
  const { toolCalls, text = '', ...rest } = reply;
  const blocks = toolCalls.map(
    (call) => `<tool_call>\n{"name": ${JSON.stringify(call.name)}, "arguments": ${call.arguments}}\n</tool_call>`,
  );
  return { ...rest, text: [text, ...blocks].join('\n'), finish: 'stop' };
}
