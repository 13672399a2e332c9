import type { ChatReply } from '../domain/ports/chat-model.ts';
import type { StepEnd } from './act.ts';
import { type AgentState, noteRecovery, notice, say, submitName } from './agent-state.ts';
import { sayReply } from './say-reply.ts';
import { withoutThinking } from './tagged-text.ts';
import type { Accepted } from './tools/tool.ts';

/** For roles whose whole reply is their work: accepted, or answered with everything that is wrong with it. */
export async function actOnText<T>(
  agent: AgentState<T>,
  reply: ChatReply,
  accept: (text: string) => Accepted<T>,
): Promise<StepEnd<T>> {
  await sayReply(agent, reply, []);
  const { task, context, role, steps, spent } = agent;
  const event = { role: task.role, agent: context.agent, step: steps, limit: role.limits.steps };
  await context.emit({ type: 'agent-step', ...event, doing: 'answering', spent });
  const outcome = accept(withoutThinking(reply.text));
  if ('value' in outcome) return outcome;
  if (reply.finish !== 'stop') return complain(agent, reply);
  agent.formatErrors++;
  await say(agent, { role: 'user', text: notice(agent, 'repair-reply', { problems: outcome.problems }) });
  return undefined;
}

/** Answers a reply in which nothing could be done: it was cut, withheld, empty, or only text. */
export async function complain<T>(agent: AgentState<T>, reply: ChatReply): Promise<undefined> {
  agent.formatErrors++;
  await say(agent, { role: 'user', text: await complaintAbout(agent, reply) });
  return undefined;
}

async function complaintAbout<T>(agent: AgentState<T>, reply: ChatReply): Promise<string> {
  if (reply.finish === 'length' && agent.context.settings.recoveries.responseLength) {
    await noteRecovery(agent, 'responseLength', `cut after ${reply.usage.output} tokens`);
    return notice(agent, 'be-concise');
  }
  if (reply.finish === 'filtered') return notice(agent, 'reply-withheld');
  if (withoutThinking(reply.text) === '') return notice(agent, 'empty-reply');
  const { protocol } = agent.context.settings;
  return notice(agent, protocol === 'native' ? 'no-tool-call' : 'no-tool-block', { submit: submitName(agent) });
}
