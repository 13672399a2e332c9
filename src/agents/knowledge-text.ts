import type { CheckedCitation } from '../domain/citation.ts';
import type { AuditedFinding, AuditedPair, Diagnosis } from '../domain/diagnosis.ts';
import { doubtsIn } from '../domain/doubts.ts';
import type { PromptSet } from '../prompts/load-prompts.ts';
import { evidenceLine, evidenceName, spanName } from './evidence-line.ts';

// The block stays in the Resolver's conversation to its end: it is to be read, not to be searched.
const MAX_ANSWER = 5_000;
const MAX_FIELD = 2_500;
const MAX_LINE = 600;
/** Of a command and what it printed: its decisive lines may come last. */
const MAX_OBSERVATION = 1_500;
const MAX_EVIDENCE = 16;
const MAX_EVIDENCE_TEXT = 8_000;
const MAX_FINDINGS = 6;
const MAX_BLOCK = 40_000;

/**
 * The knowledge set and the findings as one text, the same for the same diagnosis (ACQUIRE §III-C). Every place stands
 * as evidence once, however many answers cite it; what the audit struck is named as struck; what nobody could check is
 * marked. Empty where there is nothing to tell, and never over 40,000 characters.
 */
export function knowledgeText(diagnosis: Diagnosis, prompts: PromptSet): string {
  const told = new Set<string>();
  const pairs = diagnosis.knowledge.flatMap((pair) => pairValues(pair, told));
  const findings = diagnosis.findings.slice(0, MAX_FINDINGS).map(findingValues);
  const abstention = diagnosis.abstention ?? '';
  if (pairs.length === 0 && findings.length === 0 && abstention === '') return '';
  const rating = diagnosis.verification && findings.length > 0 ? diagnosis.verification.composite.toFixed(1) : '';
  const values = { pairs, findings, abstention: cut(abstention, MAX_FIELD), rating, doubts: doubtsIn(diagnosis) };
  return cut(prompts.render('shared/knowledge', values), MAX_BLOCK);
}

function pairValues(pair: AuditedPair, told: Set<string>) {
  if (!pair.answer) return [];
  const { outcome, text, gaps, falsifier } = pair.answer;
  const checked = checkedOf(pair);
  return [
    {
      question: pair.question.text,
      category: pair.question.category,
      missing: outcome === 'evidence-missing',
      corrected_by: pair.correctedBy ?? '',
      text: cut(text, MAX_ANSWER),
      gaps: cut(gaps ?? '', MAX_FIELD),
      falsifier: cut(falsifier ?? '', MAX_FIELD),
      ...evidenceOf(checked, told),
      struck: struckIn(checked),
      uncited: (pair.uncited ?? []).map((line) => cut(line, MAX_LINE)),
    },
  ];
}

function checkedOf(pair: AuditedPair): CheckedCitation[] {
  if (pair.checked.length > 0) return pair.checked;
  return (pair.answer?.citations ?? []).map((citation) => ({ citation, verdict: 'unchecked' }));
}

function evidenceOf(checked: CheckedCitation[], told: Set<string>) {
  const held = checked.filter(({ verdict }) => verdict !== 'struck');
  // What was run shows more than what was read, and agents cite it last.
  const ordered = [...held.filter(isRun), ...held.filter((one) => !isRun(one))];
  const fresh = [
    ...new Set(ordered.map((one) => cut(evidenceLine(one), isRun(one) ? MAX_OBSERVATION : MAX_LINE))),
  ].filter((line) => !told.has(line));
  const evidence = shortOf(fresh.slice(0, MAX_EVIDENCE), MAX_EVIDENCE_TEXT);
  for (const line of evidence) told.add(line);
  return { evidence, more_evidence: fresh.length - evidence.length };
}

/** The first of the texts, as many as are no longer than `most` together. */
function shortOf(texts: string[], most: number): string[] {
  let length = 0;
  return texts.filter((text) => {
    length += text.length;
    return length <= most;
  });
}

const isRun = ({ citation }: CheckedCitation): boolean => citation.kind === 'observation';

function struckIn(checked: CheckedCitation[]): string[] {
  const struck = checked.filter(({ verdict }) => verdict === 'struck');
  const lines = struck.map(({ citation, note }) => `${evidenceName(citation)}${note ? ` (${note})` : ''}`);
  return [...new Set(lines.map((line) => cut(line, MAX_LINE)))].slice(0, MAX_EVIDENCE);
}

/** A finding for a prompt: its fields, and its locations as they stood after the audit, each once. */
export function findingValues(finding: AuditedFinding) {
  const checked = finding.checked.filter(({ verdict }) => verdict !== 'struck').map(({ location }) => location);
  const locations = finding.checked.length > 0 ? checked : finding.locations;
  return {
    locationExplanation: cut(finding.locationExplanation, MAX_FIELD),
    rootCause: cut(finding.rootCause, MAX_FIELD),
    solutionIdea: cut(finding.solutionIdea, MAX_FIELD),
    dependencies: cut(finding.dependencies, MAX_FIELD),
    testingImpact: cut(finding.testingImpact, MAX_FIELD),
    falsifier: cut(finding.falsifier ?? '', MAX_FIELD),
    locations: [...new Set(locations.map(({ path, ...span }) => spanName(path, span)))],
  };
}

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 2)} …`);
