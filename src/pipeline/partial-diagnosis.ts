import { AnsweredPair } from '../domain/answer.ts';
import type { Diagnosis } from '../domain/diagnosis.ts';
import type { Repository } from '../repository/repository.ts';
import { Asked, Located, type Prepared } from './artefacts.ts';
import { auditAnswers } from './audit.ts';
import { report } from './report.ts';
import type { RunContext } from './run-context.ts';

/** The ledger's key of a diagnosis that a failure left incomplete; a complete one is kept by its stage, `report`. */
export const PARTIAL = 'partial';

/**
 * Keeps what the agents had finished before one of them failed, audited like a whole diagnosis, so that it can be shown.
 * Nothing where none had finished. A resumed run still starts every missing part.
 */
export async function keepPartialDiagnosis(
  context: RunContext,
  prepared: Prepared,
  repository: Repository,
): Promise<void> {
  const { ledger } = context.ports;
  const { id } = context.run;
  const asked = (await ledger.load(id, 'ask', Asked)) ?? { questions: [], notes: [] };
  const pairs: AnsweredPair[] = [];
  for (const question of asked.questions) {
    const pair = await ledger.load(id, `answer/${question.id}`, AnsweredPair);
    pairs.push(pair ?? { question, end: 'unfinished' });
  }
  const located = await ledger.load(id, 'answer/localizer', Located);
  if (!located && pairs.every((pair) => !pair.answer)) return;
  const answered = { pairs, ...(located ? { located } : {}), notes: [INCOMPLETE] };
  const partial: Diagnosis = report(prepared, asked, answered, await auditAnswers(context, answered, repository));
  await ledger.save(id, PARTIAL, partial);
}

const INCOMPLETE = 'This diagnosis is incomplete: the run ended before all of its agents had finished.';
