import type { AuditedFinding, CheckedLocation } from '../domain/diagnosis.ts';
import { FathomError } from '../domain/errors.ts';
import type { Finding, Location } from '../domain/finding.ts';
import type { Repository } from '../repository/repository.ts';

type Reader = Pick<Repository, 'checkLocation'>;

/** A finding with each of its locations held against the base commit. */
export async function auditFinding(finding: Finding, repository: Reader): Promise<AuditedFinding> {
  const checked: CheckedLocation[] = [];
  for (const location of finding.locations) checked.push(await check(location, repository));
  return { ...finding, checked };
}

/** What could not be read cannot be linked either. */
async function check(location: Location, repository: Reader): Promise<CheckedLocation> {
  try {
    return await repository.checkLocation(location);
  } catch (error) {
    if (!(error instanceof FathomError)) throw error;
    return { location, verdict: 'struck', note: `it could not be read: ${error.message}` };
  }
}
