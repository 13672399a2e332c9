import { type AgentState, noteRecovery, notice, say, submitName } from '../agent-state.ts';
import { leftOf } from '../budget-notices.ts';
import type { Standing } from '../stop-rules.ts';

const FINAL_SHARE = 0.05;

/** Whether the next call has to be the one that submits (SHERLOC §3.4). Two such calls leave room for one correction. */
export function isFinalTurn(now: Standing): boolean {
  const { steps, usd, seconds } = leftOf(now);
  const finalSteps = now.limits.steps >= 10 ? 2 : 1;
  return steps <= finalSteps || usd <= now.limits.usd * FINAL_SHARE || seconds <= now.limits.seconds * FINAL_SHARE;
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
