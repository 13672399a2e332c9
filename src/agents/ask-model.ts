import { ModelError } from '../domain/errors.ts';
import type { Reservation } from '../domain/ports/budget-ledger.ts';
import type { ChatReply, ChatRequest, ToolSpec } from '../domain/ports/chat-model.ts';
import { addSpent, nothingSpent, type Spent } from '../domain/usage.ts';
import { type AgentState, note } from './agent-state.ts';
import { charactersOf, toMessages } from './conversation.ts';
import { fitContext, halveContext } from './fit-context.ts';
import { toolSpecs } from './system-text.ts';

/** A reply; or which budget has no room for another call, in words. */
export type Asked = { reply: ChatReply } | { refused: string };

// Enough to hand in what there is, where the budget has no room for a reply of full length.
const LAST_WORDS_TOKENS = 4000;

/**
 * One model call: makes room in the context, reserves what the call may cost at most, asks, settles what it did cost.
 * A context overflow is met twice by shortening the conversation; then it is the caller's.
 * @throws ModelError, CancelledError
 */
export async function askModel<T>(agent: AgentState<T>, final: boolean, signal: AbortSignal): Promise<Asked> {
  await fitContext(agent);
  for (let attempt = 0; ; attempt++) {
    try {
      return await askOnce(agent, final, signal);
    } catch (error) {
      const isOverflow = error instanceof ModelError && error.failure === 'context-overflow';
      if (!isOverflow || attempt >= 2 || !(await halveContext(agent))) throw error;
    }
  }
}

async function askOnce<T>(agent: AgentState<T>, final: boolean, signal: AbortSignal): Promise<Asked> {
  const { context, conversation } = agent;
  const characters = charactersOf(conversation);
  const full = agent.role.limits.outputTokens;
  let outputTokens = full;
  let reservation = await reserve(agent, characters, outputTokens);
  if (!reservation.granted && final) {
    outputTokens = Math.min(full, LAST_WORDS_TOKENS);
    reservation = await reserve(agent, characters, outputTokens);
  }
  if (!reservation.granted) return { refused: usedUp(reservation) };
  const started = context.clock.monotonic();
  const reply = await settled(reservation, () => context.model.complete(request(agent, final, outputTokens), signal));
  await account(agent, reply, characters, (context.clock.monotonic() - started) / 1000);
  return { reply };
}

function usedUp({ budget, resetsAt }: Extract<Reservation, { granted: false }>): string {
  const anew = resetsAt === undefined ? '' : ` until ${resetsAt.slice(0, 10)} (UTC)`;
  return `the budget of the ${budget} is used up${anew}`;
}

function reserve<T>(agent: AgentState<T>, characters: number, output: number): Promise<Reservation> {
  const { run, agent: name, budget, model } = agent.context;
  const input = Math.ceil(characters * agent.tokensPerCharacter);
  const usd = model.price(agent.role.model, { input, cached: 0, output, reasoning: 0 });
  return budget.reserve(run, name, { usd, tokens: input + output });
}

async function settled(
  reservation: Extract<Reservation, { granted: true }>,
  call: () => Promise<ChatReply>,
): Promise<ChatReply> {
  let spent = nothingSpent();
  try {
    const reply = await call();
    spent = spentBy(reply);
    return reply;
  } finally {
    await reservation.settle(spent);
  }
}

const spentBy = (reply: ChatReply): Spent => ({
  tokens: reply.usage,
  usd: reply.usd ?? 0,
  calls: 1,
  unpriced: reply.usd === undefined ? 1 : 0,
});

function request<T>(agent: AgentState<T>, final: boolean, maxOutputTokens: number): ChatRequest {
  const { model, temperature, topP, reasoningEffort } = agent.role;
  return {
    role: agent.task.role,
    agent: agent.context.agent,
    step: agent.steps + 1,
    promptHash: agent.promptHash,
    settings: {
      model,
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { topP }),
      ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    },
    messages: toMessages(agent.conversation),
    tools: agent.context.settings.protocol === 'native' ? offeredTools(agent, final) : [],
    maxOutputTokens,
  };
}

/** In the final turn only the tool that submits. */
function offeredTools<T>(agent: AgentState<T>, final: boolean): ToolSpec[] {
  const { task } = agent;
  return final && task.submission.by === 'tool' ? [task.submission.tool.spec] : toolSpecs(task);
}

async function account<T>(agent: AgentState<T>, reply: ChatReply, characters: number, seconds: number): Promise<void> {
  agent.steps++;
  agent.spent = addSpent(agent.spent, spentBy(reply));
  if (reply.usage.input > 0 && characters > 0)
    agent.tokensPerCharacter = Math.min(1, Math.max(0.1, reply.usage.input / characters));
  const usd = reply.usd === undefined ? {} : { usd: reply.usd };
  await note(agent, { type: 'call', step: agent.steps, seconds, usage: reply.usage, finish: reply.finish, ...usd });
  if (reply.dropped.length > 0 && !agent.told.has('dropped')) {
    agent.told.add('dropped');
    const text = `${agent.role.model} refused ${reply.dropped.join(', ')} and was asked without.`;
    await agent.context.emit({ type: 'note', text });
  }
}
