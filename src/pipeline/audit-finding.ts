import type { AuditedFinding } from '../domain/diagnosis.ts';
import type { Finding } from '../domain/finding.ts';
import type { Repository } from '../repository/repository.ts';

/** A finding with each of its locations held against the base commit. */
export async function auditFinding(finding: Finding, repository: Repository): Promise<AuditedFinding> {
  const checked = [];
  for (const location of finding.locations) checked.push(await repository.checkLocation(location));
  return { ...finding, checked };
}
