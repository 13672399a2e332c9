import type { AuditedFinding, CheckedLocation } from '../domain/diagnosis.ts';
import { FathomError } from '../domain/errors.ts';
import type { Finding, Location } from '../domain/finding.ts';
import type { Repository } from '../repository/repository.ts';
import { placesIn } from './places-in-text.ts';

type Reader = Pick<Repository, 'checkLocation'>;

/** A finding with each of its locations, and each place that its text names, held against the base commit. */
export async function auditFinding(finding: Finding, repository: Reader): Promise<AuditedFinding> {
  const checked: CheckedLocation[] = [];
  for (const location of finding.locations) checked.push(await check(location, repository));
  const misnamed: CheckedLocation[] = [];
  for (const place of placesIn(textOf(finding)).filter((one) => !one.path.startsWith('/'))) {
    const named = await check(place, repository);
    if (named.verdict === 'struck') misnamed.push(named);
  }
  return { ...finding, checked, ...(misnamed.length > 0 ? { misnamed } : {}) };
}

const textOf = (finding: Finding): string =>
  [
    finding.locationExplanation,
    finding.rootCause,
    finding.solutionIdea,
    finding.dependencies,
    finding.testingImpact,
  ].join('\n');

/** What could not be read cannot be linked either. */
async function check(location: Location, repository: Reader): Promise<CheckedLocation> {
  try {
    return await repository.checkLocation(location);
  } catch (error) {
    if (!(error instanceof FathomError)) throw error;
    return { location, verdict: 'struck', note: `it could not be read: ${error.message}` };
  }
}
