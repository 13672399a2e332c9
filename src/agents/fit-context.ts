import { type AgentState, noteRecovery, notice } from './agent-state.ts';
import { charactersOf } from './conversation.ts';
import { keepFirstAndRecent } from './recoveries/first-and-recent.ts';

// Shortening goes further than it must, so that it is rare: every time, the provider's prompt cache is lost.
const LOW_WATER = 0.6;

/** Shortens a conversation that would pass the role's context size, when that recovery is on. */
export async function fitContext<T>(agent: AgentState<T>): Promise<void> {
  const tokens = charactersOf(agent.conversation) * agent.tokensPerCharacter;
  const limit = agent.role.limits.contextTokens;
  if (tokens <= limit) return;
  await shorten(agent, (limit * LOW_WATER) / agent.tokensPerCharacter);
}

/** Shortens to half, after the model said that it was too long. False where there is nothing left to take away. */
export function halveContext<T>(agent: AgentState<T>): Promise<boolean> {
  return shorten(agent, charactersOf(agent.conversation) / 2);
}

async function shorten<T>(agent: AgentState<T>, characters: number): Promise<boolean> {
  if (!agent.context.settings.recoveries.contextManagement) return false;
  const before = charactersOf(agent.conversation);
  const shortened = keepFirstAndRecent(agent.conversation, characters, {
    observation: (count) => notice(agent, 'dropped-observation', { count }),
    turns: (step) => notice(agent, 'dropped-turns', { step }),
  });
  const after = charactersOf(shortened.conversation);
  if (after >= before) return false;
  agent.conversation = shortened.conversation;
  const parts = `${shortened.observations} observations, ${shortened.turns} turns`;
  await noteRecovery(agent, 'contextManagement', `${before} to ${after} characters: ${parts} left out`);
  return true;
}
