import type { ChatRequest } from '#src/domain/ports/index.ts';

/** A tool with one string argument. */
export const shellTool = {
  name: 'shell',
  description: 'Runs a command.',
  parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
};

/** A request of the first step of an Answerer, with one tool; `overrides` replace what matters to a test. */
export function chatRequest(overrides: Partial<ChatRequest> = {}): ChatRequest {
  return {
    role: 'answerer',
    agent: 'answerer-1',
    step: 1,
    promptHash: 'prompts-1',
    settings: { model: 'gpt-5.1' },
    messages: [
      { role: 'system', text: 'Answer from the code.' },
      { role: 'user', text: 'Where is the cache?' },
    ],
    tools: [shellTool],
    maxOutputTokens: 1_000,
    ...overrides,
  };
}
