import { roleOf, scriptedDeveloper } from '../../test/cli/scripted-developer.ts';
import { type ServedAnswer, type ServedRequest, startChatServer } from '../../test/fakes/chat-server.ts';

/** One question to the model: when, about which case, by which agent, and how many of its turns were before. */
export interface ModelCall {
  at: number;
  caseNumber: number;
  agent: string;
  turn: number;
}

type Watcher = (call: ModelCall) => Promise<void> | undefined;

/** A model that answers at once as the developer of the tests does, and knows which case it is asked about. */
export interface ScriptedModel {
  url: string;
  calls: ModelCall[];
  /** Hears of each call before it is answered, and delays the answer by what it gives. Gives the function that ends it. */
  watch(watcher: Watcher): () => void;
  close(): Promise<void>;
}

/** Cases are told apart by the titles of their issues. */
export const titleOf = (caseNumber: number): string => `1900 has 366 days (case ${caseNumber})`;

export async function startScriptedModel(pauseMs = 0): Promise<ScriptedModel> {
  const calls: ModelCall[] = [];
  const watchers = new Set<Watcher>();
  const server = await startChatServer(async (request) => {
    const call = callOf(request);
    calls.push(call);
    await Promise.all([...watchers].map((watcher) => watcher(call)));
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return call.agent === 'verifier' ? ratings : scriptedDeveloper(request);
  });
  return {
    url: server.url,
    calls,
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    close: () => server.close(),
  };
}

function callOf(request: ServedRequest): ModelCall {
  const caseNumber = Number(/\(case (\d+)\)/.exec(request.text)?.[1] ?? 0);
  const turn = request.text.split('"tool_calls"').length;
  return { at: Date.now(), caseNumber, agent: agentOf(request), turn };
}

function agentOf(request: ServedRequest): string {
  const role = roleOf(request);
  if (role === 'answerer') return request.text.includes('How does `days_in_year`') ? 'answerer-Q1' : 'answerer-Q2';
  return role === 'questioner' && request.text.includes('root_cause') ? 'verifier' : role;
}

const ratings: ServedAnswer = {
  text: JSON.stringify({ root_cause: 4, location: 4, actionability: 4, overall: 4 }),
};
