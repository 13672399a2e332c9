import type { AnsweredPair } from '../domain/answer.ts';
import type { CheckedCitation, Citation } from '../domain/citation.ts';
import type { AuditedPair } from '../domain/diagnosis.ts';
import { FathomError } from '../domain/errors.ts';
import type { Location } from '../domain/finding.ts';
import type { TrajectoryEntry } from '../domain/ports/trajectory-store.ts';
import type { Repository } from '../repository/repository.ts';
import { uncitedClaims } from './check-claims.ts';
import { checkObservation } from './check-observation.ts';
import { placesIn } from './places-in-text.ts';

const MOST_VIEWS = 12;

type Reader = Pick<Repository, 'checkCitation' | 'view'>;

/**
 * An answer with everything it rests on held against the base commit, its agent's transcript and, from before, its
 * container. Places that its text names beside its citations are checked like them. No reading that fails ends an audit.
 */
export async function auditPair(
  pair: AnsweredPair,
  trajectory: TrajectoryEntry[],
  repository: Reader,
): Promise<AuditedPair> {
  const { dependencies = [], ...known } = pair;
  // What a maintainer says of their code is theirs, and not held against it.
  if (!pair.answer || pair.correctedBy !== undefined) return { ...known, checked: [] };
  const { citations, text } = pair.answer;
  const inContainer = [...dependencies];
  const checked: CheckedCitation[] = [];
  for (const citation of citations) {
    if (citation.kind === 'dependency') checked.push(inContainer.shift() ?? { citation, ...NO_CONTAINER });
    else checked.push(await check(citation, trajectory, repository));
  }
  for (const place of namedBeside(citations, text)) {
    const one = await check({ kind: 'repository', ...place }, trajectory, repository);
    if (one.verdict !== 'struck' || !isElsewhere(place)) checked.push({ ...one, note: noteOf(one) });
  }
  const once = withoutTwins(checked);
  const uncited = uncitedClaims(text, once, await citedText(once, repository));
  return { ...known, checked: once, ...(uncited.length > 0 ? { uncited } : {}) };
}

const NO_CONTAINER = { verdict: 'unchecked', note: 'no environment was at hand' } as const;

async function check(citation: Citation, trajectory: TrajectoryEntry[], repository: Reader): Promise<CheckedCitation> {
  if (citation.kind === 'observation') return checkObservation(citation, trajectory);
  if (citation.kind !== 'repository') return { citation, verdict: 'unchecked', note: 'not checkable here' };
  try {
    return await repository.checkCitation(citation);
  } catch (error) {
    if (!(error instanceof FathomError)) throw error;
    return { citation, verdict: 'unchecked', note: `it could not be read: ${error.message}` };
  }
}

/** Places in the text that no citation covers. */
function namedBeside(citations: Citation[], text: string): Location[] {
  return placesIn(text).filter((place) => !citations.some((one) => covers(one, place)));
}

/** A place in the container, such as a scratch file: no claim about the repository. */
const isElsewhere = ({ path }: Location): boolean => path.startsWith('/') || path.startsWith('~');

const noteOf = ({ note }: CheckedCitation): string =>
  note === undefined ? 'named in the text' : `named in the text; ${note}`;

/** A text may shorten the path, and name some of the cited lines. */
function covers(citation: Citation, place: Location): boolean {
  if (citation.kind !== 'repository' && citation.kind !== 'dependency') return false;
  const { path, startLine, endLine = startLine } = citation;
  if (path === undefined || !isSamePath(path, place.path)) return false;
  if (startLine === undefined || endLine === undefined) return true;
  return startLine <= place.endLine && place.startLine <= endLine;
}

/** One may be an end of the other; a bare name at the end of a longer path may be any file's. */
const isSamePath = (cited: string, named: string): boolean =>
  cited === named || cited.endsWith(`/${named}`) || (cited.includes('/') && named.endsWith(`/${cited}`));

/** Two citations that the audit corrected to the same place are one. */
function withoutTwins(checked: CheckedCitation[]): CheckedCitation[] {
  const once = new Map<string, CheckedCitation>();
  for (const one of checked) {
    const key = JSON.stringify(one.citation);
    if (!once.has(key)) once.set(key, one);
  }
  return [...once.values()];
}

async function citedText(checked: CheckedCitation[], repository: Reader): Promise<string> {
  const texts: string[] = [];
  for (const { citation, verdict } of checked) {
    if (citation.kind !== 'repository' || verdict === 'struck' || texts.length >= MOST_VIEWS) continue;
    const { path, startLine, endLine } = citation;
    try {
      texts.push((await repository.view(path, { startLine, endLine }, { withoutImportsOf: [path] })).text);
    } catch (error) {
      // Without these lines a statement may be marked that they cover: that costs the reader a look, and no more.
      if (!(error instanceof FathomError)) throw error;
    }
  }
  return texts.join('\n');
}
