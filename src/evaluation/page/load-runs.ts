import { Diagnosis } from '../../domain/diagnosis.ts';
import { diffBytes, isEmptyPatch, Resolution } from '../../domain/patch.ts';
import { Prepared } from '../../pipeline/artefacts.ts';
import type { Judgement } from '../judges/judgement.ts';
import type { EvaluationPorts, RunPlace } from '../running/evaluation.ts';
import type { Outcome } from '../scoring/outcome.ts';
import type { RunPage } from './page-data.ts';

/** Reads what the page shows of each run from the evaluation's folder. */
export async function loadRuns(
  outcomes: Outcome[],
  judgements: Judgement[],
  ports: Pick<EvaluationPorts, 'archive'>,
  folderOf: (place: RunPlace) => string,
): Promise<RunPage[]> {
  const judged = new Map(judgements.map((one) => [`${one.instance}\n${one.arm}`, one]));
  const pages: RunPage[] = [];
  for (const outcome of outcomes) {
    const place = { instance: outcome.instance, arm: outcome.arm };
    const { ledger, trajectories } = ports.archive(place);
    const prepared = await ledger.load(outcome.run, 'prepare', Prepared);
    const diagnosis = await ledger.load(outcome.run, 'report', Diagnosis);
    const resolution = await ledger.load(outcome.run, 'resolve', Resolution);
    const judgement = judged.get(`${outcome.instance}\n${outcome.arm}`);
    const transcripts = outcome.agents.map(async ({ agent }) => ({
      agent,
      entries: await trajectories.read(outcome.run, agent),
    }));
    pages.push({
      outcome,
      ...(prepared ? { issue: prepared.issue } : {}),
      ...(diagnosis ? { diagnosis } : {}),
      ...(resolution && !isEmptyPatch(resolution.patch) ? { patch: diffBytes(resolution.patch).toString('utf8') } : {}),
      ...(judgement ? { judgement } : {}),
      trajectories: await Promise.all(transcripts),
      folder: folderOf(place),
    });
  }
  return pages;
}
