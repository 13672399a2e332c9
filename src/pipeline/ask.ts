import { askQuestions } from '../agents/questioner.ts';
import type { Repository } from '../repository/repository.ts';
import { agentContext, finished } from './agent-run.ts';
import type { Asked, Prepared } from './artefacts.ts';
import type { RunContext } from './run-context.ts';

const overviewTokens = 2000;

/** Stage 2: the questions that an experienced developer would ask about this code (ACQUIRE §III-B1). */
export async function ask(context: RunContext, prepared: Prepared, repository: Repository): Promise<Asked> {
  const count = context.settings.questions;
  if (count === 0) return { questions: [], notes: [] };
  const { text: overview } = await repository.tree({ maxTokens: overviewTokens });
  const input = { issue: prepared.issue, overview, count };
  const result = finished(context, await askQuestions(input, agentContext(context, 'questioner'), context.signal));
  const questions = result.submission ?? [];
  for (const question of questions) await context.emit({ type: 'question-asked', question });
  const notes =
    questions.length < count ? [`${questions.length} of ${count} questions were asked (${result.end}).`] : [];
  return { questions, notes };
}
