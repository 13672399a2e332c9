import type { RunEnd } from '../domain/ends.ts';
import { EnvironmentError } from '../domain/errors.ts';
import type { Forge, ForgeRepositories, ProposalEnd } from '../domain/ports/forge.ts';
import type { RunLedger } from '../domain/ports/run-ledger.ts';
import { Receipt } from '../domain/receipt.ts';
import { unlessAborted } from '../domain/unless-aborted.ts';
import { branchOf } from '../github/propose.ts';
import type { RunRecord } from '../jobs/runs.ts';
import type { CurrentBase, Propose } from '../jobs/worker-ports.ts';
import { renderPullRequest } from '../report/render-pull-request.ts';
import { permalinks } from './permalink.ts';

export interface ProposeSources {
  forge: Pick<Forge, 'propose'> & Pick<ForgeRepositories, 'repository'>;
  ledger: Pick<RunLedger, 'load'>;
  record: RunRecord;
}

/** Stage 8 on the code host: a draft pull request against the default branch, or the reason why there is none. */
export function proposeChange({ forge, ledger, record }: ProposeSources): Propose {
  return async ({ run, diagnosis, resolution, proof }, signal) => {
    const { issue } = record;
    const receipt = await ledger.load(run.id, 'receipt', Receipt);
    if (receipt === undefined) throw noReceipt(run.id);
    const { defaultBranch } = await unlessAborted(forge.repository(issue), signal);
    const link = permalinks(run.snapshot.url, diagnosis.base);
    const text = renderPullRequest({ issue: run.snapshot, diagnosis, resolution, proof, receipt, link });
    const end = await forge.propose(
      {
        issue,
        branch: branchOf(issue.number),
        baseBranch: defaultBranch,
        baseSha: resolution.patch.base,
        patch: resolution.patch,
        ...text,
        requestedBy: run.snapshot.trigger.actor,
        label: record.label,
      },
      signal,
    );
    return runEnd(end);
  };
}

/** The commit at which the default branch stands now. */
export function currentBase({
  forge,
  record,
}: Pick<ProposeSources, 'record'> & { forge: Pick<ForgeRepositories, 'repository' | 'branchHead'> }): CurrentBase {
  return async (signal) => {
    const { defaultBranch } = await unlessAborted(forge.repository(record.issue), signal);
    return unlessAborted(forge.branchHead(record.issue, defaultBranch), signal);
  };
}

const runEnd = (end: ProposalEnd): RunEnd =>
  end.kind === 'refused'
    ? { kind: 'no-pull-request', reason: end.reason }
    : { kind: 'proposed', pullRequest: end.number, draft: end.draft };

const noReceipt = (run: string): EnvironmentError =>
  new EnvironmentError('no-receipt', `run ${run} has no receipt`, 'Start the run anew.');
