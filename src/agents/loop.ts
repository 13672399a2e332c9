import type { AgentEnd } from '../domain/ends.ts';
import { CancelledError, type FathomError, ModelError, SandboxError } from '../domain/errors.ts';
import { act } from './act.ts';
import type { AgentContext, AgentResult } from './agent-context.ts';
import { type AgentState, note, standingOf, startAgent } from './agent-state.ts';
import type { AgentTask } from './agent-task.ts';
import { askModel } from './ask-model.ts';
import { giveNotices } from './give-notices.ts';
import { startFinalTurn } from './recoveries/final-turn.ts';
import { endBy, stopRules } from './stop-rules.ts';

interface Outcome<T> {
  end: AgentEnd;
  submission?: T;
  detail?: string;
  error?: FathomError;
}

/**
 * The one agent loop: stop rules before anything is spent, budget, model, actions, and again. Everything is in the
 * trajectory the moment it happens, so an agent that ends early has lost nothing but its next words.
 * @throws only what is no end of an agent: a disk that refuses, a fault of ours.
 */
export async function runAgent<T>(
  task: AgentTask<T>,
  context: AgentContext,
  signal: AbortSignal,
): Promise<AgentResult<T>> {
  const agent = await startAgent(task, context);
  const outcome = await converse(agent, signal).catch((error: unknown) => endOfError(error, signal));
  await finish(agent, outcome);
  return { ...outcome, steps: agent.steps, spent: agent.spent };
}

async function converse<T>(agent: AgentState<T>, signal: AbortSignal): Promise<Outcome<T>> {
  for (;;) {
    signal.throwIfAborted();
    const end = endBy(stopRules, standingOf(agent));
    if (end !== undefined) return { end };
    let final = await giveNotices(agent);
    let asked = await askModel(agent, final, signal);
    if ('refused' in asked && !final) {
      final = await startFinalTurn(agent);
      if (final) asked = await askModel(agent, final, signal);
    }
    if ('refused' in asked) return { end: 'cost-limit', detail: asked.refused };
    const accepted = await act(agent, asked.reply, final, signal);
    if (accepted) return { end: 'submitted', submission: accepted.value };
  }
}

/** The errors that are ends of an agent, as such. @throws the others */
function endOfError(error: unknown, signal: AbortSignal): Outcome<never> {
  if (error instanceof CancelledError) return { end: 'cancelled', detail: error.message, error };
  if (signal.aborted) return { end: 'cancelled', detail: String(signal.reason) };
  if (error instanceof SandboxError && error.lost) return { end: 'sandbox-lost', detail: error.message, error };
  if (!(error instanceof ModelError)) throw error;
  const end = error.failure === 'context-overflow' ? 'context-overflow' : 'model-failed';
  return { end, detail: `${error.message}\n${error.remedy}`, error };
}

async function finish<T>(agent: AgentState<T>, outcome: Outcome<T>): Promise<void> {
  const { task, context, steps, spent } = agent;
  const { end, detail } = outcome;
  await note(agent, { type: 'end', step: steps, end, ...(detail === undefined ? {} : { detail }) });
  await context.emit({ type: 'agent-finished', role: task.role, agent: context.agent, end, steps, spent });
}
