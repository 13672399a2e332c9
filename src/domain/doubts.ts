import type { AuditedFinding, CrossCheck, Diagnosis } from './diagnosis.ts';

const MAX_DOUBTS = 8;

/**
 * What checking left in doubt, as sentences for whoever reads or repairs: what the Verifier could not find in the lines, where
 * answers and findings exclude each other, places that findings name and that are not there, findings that no answer comes
 * near.
 */
export function doubtsIn({ verification, crossChecks, findings, abstention, knowledge }: Diagnosis): string[] {
  const doubts = [
    ...(verification?.unsupported ?? []).map((claim) => `not shown by the lines: ${claim}`),
    ...(verification?.contradictions ?? []).map((claim) => `answers and findings: ${claim}`),
    ...findings.flatMap(misnamedBy),
    ...apart(crossChecks ?? [], findings.length),
    ...(findings.length === 0 && abstention && knowledge.some(isAnswered) ? [ABSTAINED] : []),
  ];
  return [...new Set(doubts)].slice(0, MAX_DOUBTS);
}

function misnamedBy({ misnamed = [] }: AuditedFinding, index: number): string[] {
  return misnamed.slice(0, 2).map(({ location: { path, startLine }, note }) => {
    return `finding ${index + 1} names \`${path}:${startLine}\`${note === undefined ? '' : `: ${note}`}`;
  });
}

const ABSTAINED = 'the answers cite code, while the search for places to change named none';

const isAnswered = (pair: Diagnosis['knowledge'][number]): boolean => pair.answer?.outcome === 'answered';

/** Findings in files that none of the answers cites. */
function apart(checks: CrossCheck[], findings: number): string[] {
  const numbers = Array.from({ length: findings }, (_, index) => index + 1);
  const alone = numbers.filter((number) => {
    const about = checks.filter((check) => check.finding === number);
    return about.length > 0 && about.every((check) => check.relation === 'elsewhere');
  });
  return alone.map((number) => `finding ${number} lies in files that no answer cites`);
}
