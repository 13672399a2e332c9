import { answerQuestion } from '../agents/answerer.ts';
import { localize } from '../agents/localizer.ts';
import { type Answer, AnsweredPair, type QaPair } from '../domain/answer.ts';
import type { CheckedCitation } from '../domain/citation.ts';
import { SandboxError } from '../domain/errors.ts';
import type { Sandbox } from '../domain/ports/sandbox-host.ts';
import type { Workspace } from '../domain/ports/workspaces.ts';
import type { Question } from '../domain/question.ts';
import type { Repository } from '../repository/repository.ts';
import { agentContext, finished, withSandbox } from './agent-run.ts';
import { type Answered, type Asked, Located, type Prepared, type PreparedEnvironment } from './artefacts.ts';
import { checkDependency } from './check-dependency.ts';
import { describeEnvironment, environmentNotes } from './describe-environment.ts';
import { keepPart, type RunContext } from './run-context.ts';

const SET_UP_WAIT_MS = 90_000;
const MOST_DEPENDENCIES = 12;

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
  setUp?: Promise<PreparedEnvironment>,
): Promise<Answered> {
  const environment = readySoon(context, setUp);
  const agents = [
    ...asked.questions.map((question) => answerOne(context, { prepared, question, environment }, workspace)),
    ...(context.settings.findings ? [locate(context, prepared, repository)] : []),
  ];
  const settled = await Promise.allSettled(agents);
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  const results = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const pairs = results.flatMap((result) => ('question' in result ? [result] : []));
  const located = results.find((result) => !('question' in result));
  const notes = [
    ...notesOf(pairs, located as Located),
    ...(setUp && pairs.length > 0 ? environmentNotes(await environment) : []),
  ];
  return { pairs, ...(located ? { located: located as Located } : {}), notes };
}

interface Asking {
  prepared: Prepared;
  question: Question;
  environment: Promise<PreparedEnvironment | undefined>;
}

function answerOne(context: RunContext, asking: Asking, workspace: Workspace): Promise<AnsweredPair> {
  const { prepared, question } = asking;
  return keepPart(context, `answer/${question.id}`, AnsweredPair, async () => {
    const before = context.run.knowledge?.pairs.find((pair) => pair.question.id === question.id);
    if (before?.answer) return before;
    const agent = `answerer-${question.id}`;
    const known = await asking.environment;
    const image = known?.image ?? context.settings.sandboxImage;
    const spec = { purpose: agent, image, mount: await workspace.reader(), variables: known?.variables };
    return withSandbox(context, spec, async (sandbox) => {
      const environment = await describeEnvironment(sandbox, known, context.signal);
      const input = { issue: prepared.issue, question, sandbox, environment };
      const result = await answerQuestion(input, agentContext(context, agent), context.signal);
      const { submission, end } = finished(context, result);
      if (!submission) return { question, end };
      return { question, end, answer: submission, dependencies: await dependenciesOf(submission, sandbox, context) };
    });
  });
}

/** Each cited dependency held against the container in which the answer was found. */
async function dependenciesOf(answer: Answer, sandbox: Sandbox, { signal }: RunContext): Promise<CheckedCitation[]> {
  const cited = answer.citations.filter((citation) => citation.kind === 'dependency');
  const checked: CheckedCitation[] = [];
  for (const citation of cited.slice(0, MOST_DEPENDENCIES)) {
    try {
      checked.push(await checkDependency(citation, sandbox, signal));
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      checked.push({ citation, verdict: 'unchecked', note: 'the container was lost' });
    }
  }
  return checked;
}

/** The prepared environment, where it is there in time: the set-up is worth a short wait and never a long one. */
async function readySoon(
  { ports, signal }: RunContext,
  setUp: Promise<PreparedEnvironment> | undefined,
): Promise<PreparedEnvironment | undefined> {
  if (!setUp) return undefined;
  const done = new AbortController();
  const ready = setUp.catch(() => undefined);
  const late = ports.clock.sleep(SET_UP_WAIT_MS, AbortSignal.any([signal, done.signal])).catch(() => undefined);
  try {
    return await Promise.race([ready, late.then(() => undefined)]);
  } finally {
    done.abort();
  }
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
