import type { ChatRequest } from '../domain/ports/index.ts';
import type { Outcome } from './attempt.ts';

type Guess = 'refused' | 'unknown-model';

/** Tokens of a request, with room for its reply, above which a refusal may be for its length. */
const SHORTEST_CONTEXT = 4_096;
const CHARACTERS_PER_TOKEN = 4;

/**
 * Finds out by two tiny requests what a server that gives no code refused: Ollama says "does not support tools" and
 * DeepSeek "maximum context length" in a message only, and messages are not decided on. `guess` stays where the tiny
 * requests say nothing new.
 */
export async function explainByAsking(
  request: ChatRequest,
  guess: Guess,
  ask: (request: ChatRequest) => Promise<Outcome>,
): Promise<Guess | 'no-tools' | 'context-overflow'> {
  const tiny: ChatRequest = { ...request, messages: [{ role: 'user', text: 'ping' }], maxOutputTokens: 16 };
  if (!accepted(await ask({ ...tiny, tools: [] }))) return guess;
  if (request.tools.length > 0) {
    const outcome = await ask(tiny);
    if (!accepted(outcome)) return isPassing(outcome) ? guess : 'no-tools';
  }
  return tokensOf(request) > SHORTEST_CONTEXT ? 'context-overflow' : guess;
}

/** An empty reply to a tiny request is an answer too: the server accepted it. */
const accepted = (outcome: Outcome): boolean =>
  'reply' in outcome || (outcome.failure.kind === 'passing' && outcome.failure.wasted !== undefined);

const isPassing = (outcome: Outcome): boolean => 'failure' in outcome && outcome.failure.kind === 'passing';

function tokensOf(request: ChatRequest): number {
  const characters = request.messages.reduce((sum, message) => sum + message.text.length, 0);
  return characters / CHARACTERS_PER_TOKEN + request.maxOutputTokens;
}
