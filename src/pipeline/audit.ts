import { verifyFindings } from '../agents/verifier.ts';
import type { AnsweredPair } from '../domain/answer.ts';
import type { AuditedFinding, AuditedPair } from '../domain/diagnosis.ts';
import { ModelError } from '../domain/errors.ts';
import type { Repository } from '../repository/repository.ts';
import { agentContext, finished } from './agent-run.ts';
import type { Answered, Audited, Prepared } from './artefacts.ts';
import { auditFinding } from './audit-finding.ts';
import { auditPair } from './audit-pair.ts';
import { auxiliaryTraces } from './auxiliary-traces.ts';
import { crossCheck } from './cross-check.ts';
import type { RunContext } from './run-context.ts';

/** Stage 4: every citation and location held against the base commit, in code; then the Verifier, if it is wanted. */
export async function audit(
  context: RunContext,
  prepared: Prepared,
  answered: Answered,
  repository: Repository,
): Promise<Audited> {
  const audited = await auditAnswers(context, answered, repository);
  if (context.settings.verifier === 'off' || audited.findings.length === 0) return audited;
  try {
    return { ...audited, ...(await verified(context, prepared, audited, repository)) };
  } catch (error) {
    // A rating is an extra: a diagnosis that is otherwise complete is not lost for the want of it.
    if (!(error instanceof ModelError)) throw error;
    return { ...audited, notes: [`The findings were not verified: ${error.message}`] };
  }
}

/** The part of the audit that needs no model. */
export async function auditAnswers(
  { ports, run }: RunContext,
  answered: Pick<Answered, 'pairs' | 'located'>,
  repository: Repository,
): Promise<Audited> {
  const knowledge: AuditedPair[] = [];
  for (const pair of answered.pairs) {
    const from = isCarried(run, pair) ? run.knowledge?.from : undefined;
    const trajectory = await ports.trajectories.read(from ?? run.id, `answerer-${pair.question.id}`);
    knowledge.push(await auditPair(pair, trajectory, repository));
  }
  const findings: AuditedFinding[] = [];
  for (const finding of answered.located?.localization?.findings ?? []) {
    findings.push(await auditFinding(finding, repository));
  }
  return { knowledge, findings, crossChecks: crossCheck(knowledge, findings), notes: [] };
}

const isCarried = ({ knowledge }: RunContext['run'], { question }: AnsweredPair): boolean =>
  knowledge?.pairs.some((one) => one.question.id === question.id && one.answer !== undefined) ?? false;

async function verified(
  context: RunContext,
  prepared: Prepared,
  { findings, knowledge }: Audited,
  repository: Repository,
): Promise<Partial<Audited>> {
  const traces = await auxiliaryTraces(context, prepared, repository);
  const input = { issue: prepared.issue, findings, knowledge, repository, traces };
  const result = finished(context, await verifyFindings(input, agentContext(context, 'verifier'), context.signal));
  if (result.submission) return { verification: result.submission };
  return { notes: [`The findings were not verified: the Verifier ended with ${result.end}.`] };
}
