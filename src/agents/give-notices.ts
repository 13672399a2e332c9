import { type AgentState, notice, say, standingOf, submitName } from './agent-state.ts';
import { lowBudgets } from './budget-notices.ts';
import { isFinalTurn, startFinalTurn } from './recoveries/final-turn.ts';

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
