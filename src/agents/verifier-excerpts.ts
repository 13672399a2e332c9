import type { AuditedFinding } from '../domain/diagnosis.ts';
import { FathomError } from '../domain/errors.ts';
import type { Location } from '../domain/finding.ts';
import type { VerifierInput } from './verifier.ts';

const MAX_LOCATED = 8;
const MAX_CITED = 8;
const MAX_TRACED = 6;
const MAX_CHARACTERS = 4000;

/** The lines that findings, answers and auxiliary traces name, each once, those of the findings first. */
export async function excerptsOf({ findings, knowledge, traces, repository }: VerifierInput): Promise<string> {
  if (!repository) return '';
  const wanted = [
    ...locatedIn(findings).slice(0, MAX_LOCATED),
    ...citedIn(knowledge ?? []).slice(0, MAX_CITED),
    ...locatedIn((traces ?? []).flat()).slice(0, MAX_TRACED),
  ];
  const once = new Map(wanted.map((place) => [`${place.path}:${place.startLine}-${place.endLine}`, place]));
  const texts: string[] = [];
  for (const { path, startLine, endLine } of once.values()) {
    try {
      texts.push(
        (await repository.view(path, { startLine, endLine }, { withoutImportsOf: [path] })).text.slice(
          0,
          MAX_CHARACTERS,
        ),
      );
    } catch (error) {
      // An excerpt that cannot be had is left out: the ratings do without.
      if (!(error instanceof FathomError)) throw error;
    }
  }
  return texts.join('\n\n');
}

const locatedIn = (findings: AuditedFinding[]): Location[] =>
  findings
    .flatMap((finding) => finding.checked)
    .filter(({ verdict }) => verdict !== 'struck')
    .map(({ location }) => location);

const citedIn = (pairs: NonNullable<VerifierInput['knowledge']>): Location[] =>
  pairs
    .flatMap((pair) => pair.checked)
    .flatMap(({ citation, verdict }) => (verdict !== 'struck' && citation.kind === 'repository' ? [citation] : []));
