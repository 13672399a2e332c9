import { verifyFindings } from '../agents/verifier.ts';
import type { QaPair } from '../domain/answer.ts';
import type { CheckedCitation, Citation } from '../domain/citation.ts';
import type { AuditedFinding, AuditedPair } from '../domain/diagnosis.ts';
import type { TrajectoryEntry } from '../domain/ports/trajectory-store.ts';
import type { Repository } from '../repository/repository.ts';
import { agentContext, finished } from './agent-run.ts';
import type { Answered, Audited, Prepared } from './artefacts.ts';
import { auditFinding } from './audit-finding.ts';
import { auxiliaryTraces } from './auxiliary-traces.ts';
import { checkObservation } from './check-observation.ts';
import type { RunContext } from './run-context.ts';

/** Stage 4: every citation and location held against the base commit, in code; then the Verifier, if it is wanted. */
export async function audit(
  context: RunContext,
  prepared: Prepared,
  answered: Answered,
  repository: Repository,
): Promise<Audited> {
  const knowledge: AuditedPair[] = [];
  for (const pair of answered.pairs) knowledge.push(await auditPair(context, pair, repository));
  const findings: AuditedFinding[] = [];
  for (const finding of answered.located?.localization?.findings ?? []) {
    findings.push(await auditFinding(finding, repository));
  }
  if (context.settings.verifier === 'off' || findings.length === 0) return { knowledge, findings, notes: [] };
  const traces = await auxiliaryTraces(context, prepared, repository);
  const input = { issue: prepared.issue, findings, repository, traces };
  const result = finished(context, await verifyFindings(input, agentContext(context, 'verifier'), context.signal));
  if (result.submission) return { knowledge, findings, verification: result.submission, notes: [] };
  return { knowledge, findings, notes: [`The findings were not verified: the Verifier ended with ${result.end}.`] };
}

async function auditPair(context: RunContext, pair: QaPair, repository: Repository): Promise<AuditedPair> {
  const trajectory = await context.ports.trajectories.read(context.run.id, `answerer-${pair.question.id}`);
  const checked: CheckedCitation[] = [];
  for (const citation of pair.answer?.citations ?? []) checked.push(await check(citation, trajectory, repository));
  return { ...pair, checked };
}

async function check(
  citation: Citation,
  trajectory: TrajectoryEntry[],
  repository: Repository,
): Promise<CheckedCitation> {
  if (citation.kind === 'repository') return repository.checkCitation(citation);
  if (citation.kind === 'observation') return checkObservation(citation, trajectory);
  if (citation.kind === 'dependency') return { citation, verdict: 'unchecked', note: 'no environment was at hand' };
  return { citation, verdict: 'unchecked', note: 'not checkable here' };
}
