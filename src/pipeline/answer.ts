import { answerQuestion } from '../agents/answerer.ts';
import { localize } from '../agents/localizer.ts';
import { QaPair } from '../domain/answer.ts';
import type { Workspace } from '../domain/ports/workspaces.ts';
import type { Question } from '../domain/question.ts';
import type { Repository } from '../repository/repository.ts';
import { agentContext, finished, withSandbox } from './agent-run.ts';
import { type Answered, type Asked, Located, type Prepared } from './artefacts.ts';
import { keepPart, type RunContext } from './run-context.ts';

/**
 * Stage 3: one isolated Answerer a question, all at once, beside the Localizer (ACQUIRE §III-B3, SHERLOC §3.3). Each is
 * kept when it finishes; when one fails the others are waited for, so that a resume starts only what is missing.
 */
export async function answer(
  context: RunContext,
  prepared: Prepared,
  asked: Asked,
  workspace: Workspace,
  repository: Repository,
): Promise<Answered> {
  const agents = [
    ...asked.questions.map((question) => answerOne(context, prepared, question, workspace)),
    ...(context.settings.findings ? [locate(context, prepared, repository)] : []),
  ];
  const settled = await Promise.allSettled(agents);
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  const results = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const pairs = results.flatMap((result) => ('question' in result ? [result] : []));
  const located = results.find((result) => !('question' in result));
  return { pairs, ...(located ? { located: located as Located } : {}), notes: notesOf(pairs, located as Located) };
}

function answerOne(context: RunContext, prepared: Prepared, question: Question, workspace: Workspace): Promise<QaPair> {
  return keepPart(context, `answer/${question.id}`, QaPair, async () => {
    const agent = `answerer-${question.id}`;
    const spec = { purpose: agent, image: context.settings.sandboxImage, mount: await workspace.reader() };
    const result = await withSandbox(context, spec, (sandbox) => {
      const input = { issue: prepared.issue, question, sandbox };
      return answerQuestion(input, agentContext(context, agent), context.signal);
    });
    const { submission, end } = finished(context, result);
    return { question, end, ...(submission ? { answer: submission } : {}) };
  });
}

function locate(context: RunContext, prepared: Prepared, repository: Repository): Promise<Located> {
  return keepPart(context, 'answer/localizer', Located, async () => {
    const suspects = context.settings.hint ? prepared.suspects : [];
    const input = { issue: prepared.issue, repository, suspects };
    const result = await localize(input, agentContext(context, 'localizer'), context.signal);
    const { submission, end } = finished(context, result);
    return { end, ...(submission ? { localization: submission } : {}) };
  });
}

function notesOf(pairs: QaPair[], located: Located | undefined): string[] {
  const silent = pairs.filter((pair) => !pair.answer);
  return [
    ...silent.map((pair) => `${pair.question.id} has no answer: its Answerer ended with ${pair.end}.`),
    ...(located && !located.localization ? [`There are no findings: the Localizer ended with ${located.end}.`] : []),
  ];
}
