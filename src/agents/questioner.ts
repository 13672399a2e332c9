import type { RenderedIssue } from '../domain/issue-snapshot.ts';
import type { Question } from '../domain/question.ts';
import { nothingSpent } from '../domain/usage.ts';
import type { AgentContext, AgentResult } from './agent-context.ts';
import { issueText } from './issue-text.ts';
import { runAgent } from './loop.ts';
import { readQuestions } from './read-questions.ts';
import type { Accepted } from './tools/tool.ts';

export interface QuestionerInput {
  issue: RenderedIssue;
  /** The repository's files, as text. */
  overview: string;
  count: number;
}

// The questions, and once more with everything that was wrong with them.
const ATTEMPTS = 2;

/**
 * Asks what one has to know about the code before repairing it (ACQUIRE §III-B1): `count` questions, each in one of four
 * categories, self-contained, none twice. A second reply may correct the first; then what is usable of it is taken.
 * `free` asks without categories and `proposal` for one proposal without asking a model (ACQUIRE §V-C).
 * @throws only faults of ours; every end is in the result
 */
export async function askQuestions(
  input: QuestionerInput,
  context: AgentContext,
  signal: AbortSignal,
): Promise<AgentResult<Question[]>> {
  const { prompts, settings } = context;
  const { count } = input;
  if (count === 0) return withoutAsking([]);
  if (settings.asking === 'proposal') {
    const text = prompts.render('questioner/proposal');
    return withoutAsking([{ id: 'Q1', category: 'Mechanism & Behavior', text }]);
  }
  const system = settings.asking === 'free' ? 'questioner/system-free' : 'questioner/system';
  return runAgent(
    {
      role: 'questioner',
      system: prompts.render(system, { count }),
      user: prompts.render('questioner/user', { issue: issueText(input.issue), overview: input.overview, count }),
      tools: [],
      submission: { by: 'reply', attempts: ATTEMPTS, accept: accepting(count, settings.asking === 'categories') },
    },
    context,
    signal,
  );
}

const withoutAsking = (submission: Question[]): AgentResult<Question[]> => ({
  end: 'submitted',
  submission,
  steps: 0,
  spent: nothingSpent(),
});

function accepting(count: number, categorized: boolean): (text: string) => Accepted<Question[]> {
  let attempt = 0;
  return (text) => {
    attempt++;
    const { usable, problems } = readQuestions(text, count, categorized);
    const isGood = problems.length === 0 || (attempt >= ATTEMPTS && usable.length > 0);
    return isGood ? { value: usable } : { problems };
  };
}
