import { askQuestions } from '../agents/questioner.ts';
import type { AnsweredPair } from '../domain/answer.ts';
import type { AgentEnd } from '../domain/ends.ts';
import { FathomError } from '../domain/errors.ts';
import type { Suspect } from '../domain/finding.ts';
import type { Repository } from '../repository/repository.ts';
import { agentContext, finished } from './agent-run.ts';
import type { Asked, Prepared } from './artefacts.ts';
import type { RunContext } from './run-context.ts';

const overviewTokens = 2000;
/** So many of the suspects decide which folders the overview opens. */
const nearest = 3;

/** Stage 2: the questions that an experienced developer would ask about this code (ACQUIRE §III-B1). */
export async function ask(context: RunContext, prepared: Prepared, repository: Repository): Promise<Asked> {
  if (context.run.knowledge !== undefined) return askedBefore(context, context.run.knowledge.pairs);
  const count = context.settings.questions;
  if (count === 0) return { questions: [], notes: [] };
  const overview = await overviewOf(repository, context.settings.hint ? prepared.suspects : []);
  const input = { issue: prepared.issue, overview, count };
  const result = finished(context, await askQuestions(input, agentContext(context, 'questioner'), context.signal));
  const questions = result.submission ?? [];
  for (const question of questions) await context.emit({ type: 'question-asked', question });
  const wanted = context.settings.asking === 'proposal' ? 1 : count;
  return { questions, notes: notesOf(questions.length, wanted, result.end) };
}

/** A run that carries a maintainer's corrections goes on from the questions that these belong to. */
async function askedBefore({ emit }: RunContext, pairs: AnsweredPair[]): Promise<Asked> {
  const questions = pairs.map((pair) => pair.question);
  for (const question of questions) await emit({ type: 'question-asked', question });
  const corrected = pairs.filter((pair) => pair.correctedBy !== undefined).map((pair) => pair.question.id);
  const words = `Questions and answers are those of the last run; corrected by a maintainer: ${corrected.join(', ')}.`;
  return { questions, notes: [words] };
}

/** The questions do without the names of files that could not be had in time. */
async function overviewOf(repository: Repository, suspects: Suspect[]): Promise<string> {
  try {
    const near = suspects.slice(0, nearest).map(({ path }) => path);
    return (await repository.tree({ maxTokens: overviewTokens, near })).text;
  } catch (error) {
    if (error instanceof FathomError) return error.message;
    throw error;
  }
}

function notesOf(asked: number, count: number, end: AgentEnd): string[] {
  if (asked >= count) return [];
  if (asked === 0 && end === 'submitted') return ['The Questioner found nothing in this issue to ask the code about.'];
  return [`${asked} of ${count} questions were asked (${end}).`];
}
