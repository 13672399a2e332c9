import type { RunEnd } from '../domain/ends.ts';
import type { Forge, IssueState } from '../domain/ports/forge.ts';
import type { RunLedger } from '../domain/ports/run-ledger.ts';
import type { RunEvent } from '../domain/run-events.ts';
import { refusalOfState } from '../jobs/refusals.ts';
import type { RunRecord } from '../jobs/runs.ts';
import type { Refusal } from '../jobs/worker-ports.ts';
import { type DiagnosisReport, renderDiagnosis } from '../report/render-diagnosis.ts';
import { renderFailure, renderStopped, renderTried } from '../report/render-ends.ts';
import { type KeptArtefacts, loadArtefacts } from './kept-artefacts.ts';
import { permalinks } from './permalink.ts';

type IssueRefusal = Extract<Refusal, { kind: 'issue' }>;
type NextStep = NonNullable<DiagnosisReport['next']>;

/** Characters that a comment may have; GitHub refuses more than 65,536. */
const COMMENT_LIMIT = 60_000;

export interface RunResultSources {
  ledger: Pick<RunLedger, 'load'>;
  forge: Pick<Forge, 'issueState'>;
  record: RunRecord;
  /** Stops the run; `by` is who did, as far as it is known. */
  stop(by: string): Promise<void>;
}

/**
 * The comment that stays on the issue: the diagnosis with what comes next or came of it, or how the run ended where
 * there is none. Undefined while there is nothing to say, and where a diagnosis is no longer asked for: the delivery that
 * told of it may have been lost, so the issue is looked at, and what still runs is stopped.
 */
export async function runResult(sources: RunResultSources, events: RunEvent[]): Promise<string | undefined> {
  const { record, ledger } = sources;
  const end = events.findLast((event) => event.type === 'run-finished')?.end;
  const artefacts = await loadArtefacts(ledger, record.id);
  const state = await stateOf(sources);
  if (end === undefined || end.kind === 'diagnosed' || end.kind === 'ranked') {
    const who = state === 'unknown' ? undefined : whoStopped(state, record.label);
    if (who !== undefined) {
      if (end === undefined) await sources.stop(who);
      return undefined;
    }
  }
  const edited = state !== 'unknown' && state !== undefined && state.hash !== record.run.snapshot.hash;
  const shown = diagnosisOf(sources, artefacts, end, edited ? [changed] : []);
  if (shown !== undefined) return withoutPullRequest(shown, artefacts, end);
  const receipt = artefacts.receipt === undefined ? {} : { receipt: artefacts.receipt };
  if (end?.kind === 'stopped') return renderStopped({ by: end.by, ...receipt });
  if (end?.kind === 'failed') return renderFailure({ ...end, run: record.id });
  return undefined;
}

/** With a diagnosis, that; without a model, the ranking once the run is over. */
function diagnosisOf(
  sources: RunResultSources,
  { preparation, diagnosis, receipt }: KeptArtefacts,
  end: RunEnd | undefined,
  remarks: string[],
): string | undefined {
  if (preparation === undefined || receipt === undefined) return undefined;
  const { base, suspects, notes, issue } = preparation;
  if (diagnosis === undefined && end?.kind !== 'ranked') return undefined;
  const found = diagnosis ?? { base, suspects, notes, knowledge: [], findings: [] };
  const { snapshot, mode } = sources.record.run;
  const next = end === undefined ? pending(mode) : nextStep(end, snapshot.url);
  return renderDiagnosis({
    diagnosis: { ...found, notes: [...remarks, ...found.notes] },
    issue,
    receipt,
    link: permalinks(snapshot.url, base),
    asker: snapshot.trigger.actor,
    ...(next === undefined ? {} : { next }),
  });
}

const pending = (mode: 'diagnose' | 'resolve'): NextStep | undefined =>
  mode === 'resolve' ? { kind: 'repairing' } : undefined;

function nextStep(end: RunEnd, issueUrl: string | undefined): NextStep | undefined {
  switch (end.kind) {
    case 'proposed': {
      if (end.pullRequest === undefined) return undefined;
      const url = issueUrl?.replace(/\/issues\/\d+$/, `/pull/${end.pullRequest}`);
      const { pullRequest: number, draft = true } = end;
      return { kind: 'pull-request', number, draft, ...(url === undefined ? {} : { url }) };
    }
    case 'no-pull-request':
      return { kind: 'no-pull-request', reason: end.reason };
    case 'stopped':
      return { kind: 'no-pull-request', reason: `Stopped by ${end.by}.` };
    case 'failed':
      return { kind: 'no-pull-request', reason: `${end.message} ${end.remedy}` };
    default:
      return undefined;
  }
}

const changed = 'The issue was changed after this run was asked for. `/fathom retry` reads it as it is now.';

/** Not to know how the issue stands is no reason to keep a diagnosis back. */
const stateOf = ({ forge, record }: RunResultSources): Promise<IssueState | undefined | 'unknown'> =>
  forge.issueState(record.issue, record.run.snapshot.trigger).catch(() => 'unknown' as const);

const who: Record<IssueRefusal['state'], string> = {
  gone: 'whoever removed the issue',
  closed: 'whoever closed the issue',
  locked: 'whoever locked the issue',
  'pull-request': 'whoever made a pull request of the issue',
  'label-gone': 'whoever took the label off',
};

function whoStopped(state: IssueState | undefined, label: string | undefined): string | undefined {
  const refusal = refusalOfState(state, label);
  return refusal?.kind === 'issue' ? who[refusal.state] : undefined;
}

/** A change that became no pull request is shown below, as far as there is room. */
function withoutPullRequest(shown: string, artefacts: KeptArtefacts, end: RunEnd | undefined): string {
  const { resolution, proof } = artefacts;
  if (end?.kind !== 'no-pull-request' || resolution === undefined) return shown;
  const tried = renderTried({ patch: resolution.patch, ...(proof === undefined ? {} : { proof }) });
  if (tried === '') return shown;
  const both = `${shown}\n\n${tried}`;
  return both.length <= COMMENT_LIMIT ? both : shown;
}
