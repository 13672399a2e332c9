import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangeReview } from '../agents/tools/submit-resolution.ts';
import type { Diagnosis } from '../domain/diagnosis.ts';
import { isEmptyPatch, type Patch, type StrayEdit } from '../domain/patch.ts';
import type { Prepared } from './artefacts.ts';
import { strayEdits } from './stray-edits.ts';
import type { Leads } from './unplaced-files.ts';

const MOST_BYTES = 1024 * 1024;
const MOST_NAMED = 10;

export interface ReviewPlace {
  prepared: Prepared;
  diagnosis: Diagnosis;
  /** The checkout of base. */
  tree: string;
}

/** The edits of a change that look as if they did not belong to it. */
export const strayEditsOf = (patch: Patch, { prepared, diagnosis, tree }: ReviewPlace): Promise<StrayEdit[]> =>
  strayEdits({ patch, leads: leadsOf(prepared, diagnosis), readBase: (path) => readText(join(tree, path)) });

/** What a Resolver is told of its change before it is handed in. */
export async function reviewChange(patch: Patch, place: ReviewPlace): Promise<ChangeReview> {
  return {
    empty: isEmptyPatch(patch),
    left: patch.left.slice(0, MOST_NAMED).map(({ path, kind }) => `${path} (${kind})`),
    stray: (await strayEditsOf(patch, place)).map(inWords),
  };
}

const WORDS: Record<StrayEdit['kind'], string> = {
  'white-space': 'only white space differs',
  reformatted: 'was put into another form in several places',
  debugging: 'looks like debugging output',
  'commented-out': 'code was commented out instead of removed',
  unplaced: 'neither the issue nor another edit leads to this file',
};

const inWords = ({ kind, path, line }: StrayEdit): string =>
  `${path}${line === undefined ? '' : `:${line}`}: ${WORDS[kind]}`;

function leadsOf({ issue, suspects }: Prepared, { knowledge, findings }: Diagnosis): Leads {
  const cited = knowledge
    .flatMap(({ checked }) => checked)
    .flatMap(({ citation }) => ('path' in citation ? [citation.path] : []));
  const located = findings.flatMap((finding) => finding.locations.map(({ path }) => path));
  const texts = [
    issue.title,
    issue.text,
    ...findings.flatMap(({ rootCause, solutionIdea, dependencies, testingImpact }) => [
      rootCause,
      solutionIdea,
      dependencies,
      testingImpact,
    ]),
    ...knowledge.map(({ answer }) => answer?.text ?? ''),
  ];
  const known = [...located, ...cited].filter((path) => path !== undefined);
  return { text: texts.join('\n'), paths: known.length === 0 ? [] : [...known, ...suspects.map(({ path }) => path)] };
}

/** A file's text, at most a megabyte. A link is not followed: it may point out of the repository. */
async function readText(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (!file) return undefined;
  try {
    if (!(await file.stat()).isFile()) return undefined;
    const buffer = Buffer.alloc(MOST_BYTES);
    const { bytesRead } = await file.read(buffer, 0, MOST_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
