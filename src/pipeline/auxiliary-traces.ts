import { localize } from '../agents/localizer.ts';
import type { AuditedFinding } from '../domain/diagnosis.ts';
import type { Repository } from '../repository/repository.ts';
import { agentContext, finished } from './agent-run.ts';
import { Located, type Prepared } from './artefacts.ts';
import { auditFinding } from './audit-finding.ts';
import { keepPart, type RunContext } from './run-context.ts';

const TRACES = 5;

/**
 * Findings of five further, independent Localizers, with which the full Verifier compares the first one's (SHERLOC,
 * appendix: multi-trace verifier). A trace that names no place is an empty one, and counts. Undefined unless the settings
 * ask for it: they cost five localizations.
 */
export async function auxiliaryTraces(
  context: RunContext,
  prepared: Prepared,
  repository: Repository,
): Promise<AuditedFinding[][] | undefined> {
  if (context.settings.verifier !== 'full') return undefined;
  const names = Array.from({ length: TRACES }, (_, index) => `localizer-${index + 2}`);
  const settled = await Promise.allSettled(names.map((name) => trace(context, prepared, repository, name)));
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

async function trace(context: RunContext, prepared: Prepared, repository: Repository, agent: string) {
  const located = await keepPart(context, `audit/${agent}`, Located, async () => {
    const suspects = context.settings.hint ? prepared.suspects : [];
    const input = { issue: prepared.issue, repository, suspects };
    const result = await localize(input, agentContext(context, agent), context.signal);
    const { submission, end } = finished(context, result);
    return { end, ...(submission ? { localization: submission } : {}) };
  });
  const audited: AuditedFinding[] = [];
  for (const finding of located.localization?.findings ?? []) audited.push(await auditFinding(finding, repository));
  return audited;
}
