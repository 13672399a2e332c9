import type { AuditedFinding, AuditedPair, CrossCheck } from '../domain/diagnosis.ts';
import type { Location } from '../domain/finding.ts';

/** Lines this near are about the same thing more often than not: a call and its definition's end, a branch and its test. */
const NEAR_LINES = 5;

/**
 * How each answer's citations lie to each finding's locations, from places that the audit left standing. Two agents that
 * never saw each other and point at the same lines support each other; answers that cite no place say nothing here.
 */
export function crossCheck(knowledge: AuditedPair[], findings: AuditedFinding[]): CrossCheck[] {
  return knowledge.flatMap((pair) => {
    const cited = citedPlaces(pair);
    if (cited.length === 0) return [];
    return findings.flatMap((finding, index) => {
      const located = finding.checked.filter(({ verdict }) => verdict !== 'struck').map(({ location }) => location);
      if (located.length === 0) return [];
      return [{ question: pair.question.id, finding: index + 1, ...nearest(cited, located) }];
    });
  });
}

const citedPlaces = (pair: AuditedPair): Location[] =>
  pair.checked.flatMap(({ citation, verdict }) => {
    if (citation.kind !== 'repository' || verdict === 'struck') return [];
    const { path, startLine, endLine } = citation;
    return [{ path, startLine, endLine }];
  });

function nearest(cited: Location[], located: Location[]): Pick<CrossCheck, 'relation' | 'place'> {
  const inFile = cited.filter((place) => located.some(({ path }) => path === place.path));
  const onLines = inFile.find((place) => located.some((one) => one.path === place.path && isNear(one, place)));
  if (onLines) return { relation: 'same-lines', place: onLines };
  return inFile[0] ? { relation: 'same-file', place: inFile[0] } : { relation: 'elsewhere' };
}

const isNear = (a: Location, b: Location): boolean =>
  a.startLine - NEAR_LINES <= b.endLine && b.startLine - NEAR_LINES <= a.endLine;
