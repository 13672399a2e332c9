import type { AnsweredPair } from '../domain/answer.ts';
import type { Run } from '../domain/run.ts';
import type { RunMode } from '../domain/stage.ts';
import { Answered } from '../pipeline/artefacts.ts';
import { createDatabaseLedger } from './database-ledger.ts';
import { correctionsOf, settleEntries, type WaitingRequest } from './inbox-entries.ts';
import type { KnownIssue } from './issues.ts';
import { lastRun, type RunRecord } from './runs.ts';
import type { Refusal, WorkerPorts } from './worker-ports.ts';

/** Where an answer of a maintainer that was taken is noted: with the run whose answer it replaces. */
const outcomeOf = (run: string): string => `corrects ${run}`;

export interface Corrections {
  /** Taken: the next run on the issue carries them. */
  taken: WaitingRequest[];
  refused: { request: WaitingRequest; refusal: Refusal }[];
}

/**
 * Takes the answers of maintainers to questions of the last run, in place of what was found. They start no run: whoever
 * corrects several answers asks for one when they are all there.
 */
export async function takeCorrections(
  { database }: WorkerPorts,
  issue: KnownIssue,
  requests: WaitingRequest[],
): Promise<Corrections> {
  if (requests.length === 0) return { taken: [], refused: [] };
  const last = await lastRun(database, issue.key);
  const questions = last === undefined ? [] : (await pairsOf(database, last)).map(({ question }) => question.id);
  const refusals = requests.map((request) => ({ request, refusal: refusalOf(request, questions) }));
  const taken = refusals.filter(({ refusal }) => refusal === undefined).map(({ request }) => request);
  if (last !== undefined) {
    await settleEntries(
      database,
      taken.map(({ id }) => id),
      outcomeOf(last.id),
    );
  }
  return { taken, refused: refusals.flatMap(({ request, refusal }) => (refusal ? [{ request, refusal }] : [])) };
}

function refusalOf({ entry }: WaitingRequest, questions: string[]): Refusal | undefined {
  const correction = entry.kind === 'command' ? entry.correction : undefined;
  if (correction === undefined) return { kind: 'correction', problem: 'unreadable', questions: questions.length };
  if (questions.includes(idOf(correction.question))) return undefined;
  return { kind: 'correction', problem: 'no-such-question', questions: questions.length };
}

const idOf = (question: number): string => `Q${question}`;

/**
 * What a run after `last` starts from, where maintainers have corrected it since. A repair also keeps what was corrected
 * before; a new diagnosis is a new start.
 */
export async function correctedKnowledge(
  { database }: Pick<WorkerPorts, 'database'>,
  last: RunRecord | undefined,
  mode: RunMode,
): Promise<Run['knowledge']> {
  if (last === undefined) return undefined;
  const entries = await correctionsOf(database, last.issue.key, outcomeOf(last.id));
  const keeps = mode === 'resolve' && last.run.knowledge !== undefined;
  if (entries.length === 0 && !keeps) return undefined;
  const found = await pairsOf(database, last);
  let pairs = found.length > 0 ? found : (last.run.knowledge?.pairs ?? []);
  for (const { correction, actor } of entries) {
    if (correction === undefined) continue;
    pairs = pairs.map((pair) =>
      pair.question.id === idOf(correction.question) ? corrected(pair, correction.text, actor.login) : pair,
    );
  }
  return { from: last.run.knowledge?.from ?? last.id, pairs };
}

const corrected = ({ question }: AnsweredPair, text: string, correctedBy: string): AnsweredPair => ({
  question,
  answer: { outcome: 'answered', text, citations: [] },
  end: 'submitted',
  correctedBy,
});

async function pairsOf(database: WorkerPorts['database'], record: RunRecord): Promise<AnsweredPair[]> {
  const ledger = createDatabaseLedger(database, record.attempt);
  return (await ledger.load(record.id, 'answer', Answered))?.pairs ?? [];
}
