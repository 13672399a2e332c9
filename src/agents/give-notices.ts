import { type AgentState, noteRecovery, notice, say, standingOf } from './agent-state.ts';
import { isFinalTurn, lowBudgets } from './budget-notices.ts';

/**
 * Tells an agent once for each budget that it comes to its end, and in the final turn that it has to submit now. True
 * in the final turn. Roles that hand in their first reply are told nothing.
 */
export async function giveNotices<T>(agent: AgentState<T>): Promise<boolean> {
  if (agent.task.submission.by === 'reply') return false;
  const now = standingOf(agent);
  const isFinal = agent.told.has('final') || isFinalTurn(now);
  if (isFinal && (await startFinalTurn(agent))) return true;
  const news = lowBudgets(now).filter((low) => !agent.told.has(low.budget));
  if (news.length === 0) return false;
  for (const { budget } of news) agent.told.add(budget);
  const left = news.map((low) => low.left).join(' and ');
  await say(agent, { role: 'user', text: notice(agent, 'wrap-up', { left, submit: submitName(agent) }) });
  return false;
}

/** SHERLOC's final turn: from here on only the submission counts. False where that recovery is switched off. */
export async function startFinalTurn<T>(agent: AgentState<T>): Promise<boolean> {
  if (!agent.context.settings.recoveries.finalTurn || agent.task.submission.by === 'reply') return false;
  if (agent.told.has('final')) return true;
  agent.told.add('final');
  await say(agent, { role: 'user', text: notice(agent, 'final-turn', { submit: submitName(agent) }) });
  await noteRecovery(agent, 'finalTurn', `after ${agent.steps} replies`);
  return true;
}

const submitName = <T>(agent: AgentState<T>): string =>
  agent.task.submission.by === 'tool' ? agent.task.submission.tool.spec.name : '';
