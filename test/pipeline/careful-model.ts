import type { ChatReply, ChatRequest } from '#src/domain/ports/index.ts';
import { callingTool, type ScriptedModel, type ScriptedReply, scriptedModel } from '../fakes/scripted-model.ts';

/** What each agent does; every part may be left to the default. */
export interface Script {
  questions?: (request: ChatRequest) => ScriptedReply | Promise<ScriptedReply>;
  /** Calls of one step each, before the answer; or the whole answer. */
  answer?: (request: ChatRequest) => ScriptedReply;
  locate?: (request: ChatRequest) => ScriptedReply;
  verify?: (request: ChatRequest) => ScriptedReply;
}

export const question = (text: string, category = 'Mechanism & Behavior') => ({ category, question: text });

export const asking = (...questions: ReturnType<typeof question>[]): Partial<ChatReply> => ({
  text: JSON.stringify(questions),
});

export const finding = (path: string, startLine: number, endLine: number) => ({
  locationExplanation: 'The value passes through here.',
  rootCause: 'It is computed wrongly.',
  solutionIdea: 'Compute it rightly.',
  dependencies: 'None.',
  testingImpact: 'One test.',
  locations: [{ path, startLine, endLine }],
});

export const locating = (...findings: ReturnType<typeof finding>[]) => callingTool('submit_findings', { findings });

export const abstaining = (abstention: string) => callingTool('submit_findings', { findings: [], abstention });

export const answering = (text: string, citations: object[]) =>
  callingTool('submit_answer', { outcome: 'answered', text, citations });

export const notKnowing = callingTool('submit_answer', {
  outcome: 'evidence-missing',
  text: 'The code does not show it.',
  gaps: 'The names of the issue were searched for in the whole repository.',
});

const TWO = asking(
  question('How does `total` in the ledger module add up entries of different signs?'),
  question('Which callers rely on the order that `sorted_entries` gives?', 'Locating & Structure'),
);

/** A model that looks, finds nothing and says so, but for what `script` makes it do. */
export function carefulModel(script: Script = {}): ScriptedModel {
  return scriptedModel((request) => {
    switch (request.role) {
      case 'questioner':
        return script.questions?.(request) ?? TWO;
      case 'answerer':
        return script.answer?.(request) ?? (request.step === 1 ? callingTool('shell', { command: 'ls' }) : notKnowing);
      case 'localizer':
        return script.locate?.(request) ?? (request.step === 1 ? looking() : abstaining('Nothing points to a place.'));
      default:
        return script.verify?.(request) ?? { text: 'no' };
    }
  });
}

/** Every tool of the Localizer once. */
export const looking = (): Partial<ChatReply> => ({
  toolCalls: [
    { id: 'a', name: 'repo_tree', arguments: '{}' },
    { id: 'b', name: 'codebase_search', arguments: '{"query":"total"}' },
    { id: 'c', name: 'connected_tree', arguments: '{}' },
    { id: 'd', name: 'view_file', arguments: '{"path":"src/ledger.py"}' },
  ],
});

/** Everything that a role was told, over all its requests. */
export const toldTo = (model: ScriptedModel, role: ChatRequest['role']): string =>
  model.requests
    .filter((request) => request.role === role)
    .flatMap((request) => request.messages.map((message) => message.text))
    .join('\n');
