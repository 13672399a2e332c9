import type { CheckedCitation } from '../domain/citation.ts';
import type { AuditedFinding, AuditedPair, Diagnosis } from '../domain/diagnosis.ts';
import type { PromptSet } from '../prompts/load-prompts.ts';

/**
 * The knowledge set and the findings as one text, the same for the same diagnosis (ACQUIRE §III-C). What the audit
 * struck is left out; what nobody could check is marked. Empty where there is nothing to tell.
 */
export function knowledgeText(diagnosis: Diagnosis, prompts: PromptSet): string {
  const pairs = diagnosis.knowledge.flatMap(pairValues);
  const findings = diagnosis.findings.map(findingValues);
  const abstention = diagnosis.abstention ?? '';
  if (pairs.length === 0 && findings.length === 0 && abstention === '') return '';
  const rating = diagnosis.verification ? diagnosis.verification.composite.toFixed(1) : '';
  return prompts.render('shared/knowledge', { pairs, findings, abstention, rating });
}

function pairValues(pair: AuditedPair) {
  if (!pair.answer) return [];
  const { outcome, text, gaps } = pair.answer;
  return [
    {
      question: pair.question.text,
      category: pair.question.category,
      missing: outcome === 'evidence-missing',
      corrected_by: pair.correctedBy ?? '',
      text,
      gaps: gaps ?? '',
      evidence: evidenceOf(pair),
    },
  ];
}

function evidenceOf(pair: AuditedPair): string[] {
  const checked: CheckedCitation[] =
    pair.checked.length > 0
      ? pair.checked
      : (pair.answer?.citations ?? []).map((citation) => ({ citation, verdict: 'unchecked' }));
  return checked.filter(({ verdict }) => verdict !== 'struck').map(evidenceLine);
}

function evidenceLine({ citation, verdict }: CheckedCitation): string {
  const mark = verdict === 'unchecked' ? ' (not checked)' : '';
  switch (citation.kind) {
    case 'repository':
      return `${citation.path}:${citation.startLine}-${citation.endLine}${citation.symbol ? ` ${citation.symbol}` : ''}${mark}`;
    case 'dependency':
      return `dependency ${[citation.package, citation.version, citation.path].filter(Boolean).join(' ')}${mark}`;
    case 'observation':
      return `command ${citation.command} gave: ${citation.output}${mark}`;
    case 'standard':
      return `standard ${citation.name}${mark}`;
  }
}

/** A finding for a prompt: its fields, and its locations as they stood after the audit. */
export function findingValues(finding: AuditedFinding) {
  const { locationExplanation, rootCause, solutionIdea, dependencies, testingImpact } = finding;
  const checked = finding.checked.filter(({ verdict }) => verdict !== 'struck').map(({ location }) => location);
  const locations = finding.checked.length > 0 ? checked : finding.locations;
  return {
    locationExplanation,
    rootCause,
    solutionIdea,
    dependencies,
    testingImpact,
    falsifier: finding.falsifier ?? '',
    locations: locations.map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`),
  };
}
