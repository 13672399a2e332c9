import type { Diagnosis } from '../domain/diagnosis.ts';

/**
 * What the Resolver is given of a diagnosis: without the findings where the Verifier rated them below `gate`, or did not
 * rate them at all (SHERLOC §4.7: a repair without findings is then the better one). The reader still sees everything.
 */
export function gateFindings(diagnosis: Diagnosis, gate: number | undefined): Diagnosis {
  if (gate === undefined || diagnosis.findings.length === 0) return diagnosis;
  const rated = diagnosis.verification?.composite ?? 0;
  return rated >= gate ? diagnosis : { ...diagnosis, findings: [] };
}
