import type { Diagnosis } from '../../domain/diagnosis.ts';

/** Paths and symbols that a diagnosis names: a step of the repair that names one may have used it. */
export function knowledgeNames(diagnosis: Diagnosis): string[] {
  const names = new Set<string>();
  for (const { citation } of diagnosis.knowledge.flatMap((pair) => pair.checked)) {
    if (citation.kind !== 'repository') continue;
    names.add(citation.path);
    if (citation.symbol && citation.symbol.length > 4) names.add(citation.symbol.split('.').at(-1) as string);
  }
  for (const { location } of diagnosis.findings.flatMap((finding) => finding.checked)) names.add(location.path);
  return [...names].filter((name) => name.length > 4);
}

const QUESTIONS = ['Q1', 'Q2', 'Q3', 'Q4', 'Q5'];

/** Every agent that a run may have had, in the order of a run. */
export function agentNames(diagnosis: Diagnosis | undefined): string[] {
  const asked = diagnosis?.knowledge.map((pair) => pair.question.id) ?? [];
  const questions = [...new Set([...asked, ...QUESTIONS])];
  const localizers = ['localizer', ...[2, 3, 4, 5, 6].map((number) => `localizer-${number}`)];
  return ['questioner', ...questions.map((id) => `answerer-${id}`), ...localizers, 'verifier', 'resolver'];
}
