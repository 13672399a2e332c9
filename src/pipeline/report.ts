import type { Diagnosis } from '../domain/diagnosis.ts';
import type { Answered, Asked, Audited, Prepared } from './artefacts.ts';

/** Stage 5: the diagnosis as one artefact. How it looks is for whoever shows it. */
export function report(prepared: Prepared, asked: Asked, answered: Answered, audited: Audited): Diagnosis {
  const abstention = answered.located?.localization?.abstention;
  return {
    base: prepared.base,
    knowledge: audited.knowledge,
    findings: audited.findings,
    suspects: prepared.suspects,
    ...(abstention === undefined ? {} : { abstention }),
    ...(audited.crossChecks ? { crossChecks: audited.crossChecks } : {}),
    ...(audited.verification ? { verification: audited.verification } : {}),
    notes: [...prepared.notes, ...asked.notes, ...answered.notes, ...audited.notes],
  };
}
