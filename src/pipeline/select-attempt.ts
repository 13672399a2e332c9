import { createHash } from 'node:crypto';
import { diffBytes, isEmptyPatch, type Patch } from '../domain/patch.ts';
import type { Proof } from '../domain/proof.ts';
import type { Attempt } from './attempts.ts';

/**
 * Which of several repairs is taken: the fewest regressions, then those whose test was seen to fail before and pass
 * after, then the change that most of the attempts made, then the earliest (as Agentless ranks its patches).
 * @returns its index and, in words, what decided; undefined where no attempt changed anything
 */
export function selectAttempt(attempts: Attempt[]): { index: number; because: string } | undefined {
  let left = attempts
    .map((attempt, index) => ({ attempt, index }))
    .filter(({ attempt }) => !isEmptyPatch(attempt.resolution.patch));
  if (left.length === 0) return undefined;
  let because = 'it is the only one that changes anything';
  const votes = left.map(({ attempt }) => normalized(attempt.resolution.patch));
  const rules: [because: string, rank: (attempt: Attempt) => number][] = [
    ['it breaks the fewest tests', ({ proof }) => regressions(proof)],
    ['its test fails without the change and passes with it', ({ proof }) => (isReproduced(proof) ? 0 : 1)],
    [
      'most of the attempts made the same change',
      ({ resolution }) => -votes.filter((vote) => vote === normalized(resolution.patch)).length,
    ],
    ['it was the first', (attempt) => attempts.indexOf(attempt)],
  ];
  for (const [words, rank] of rules) {
    if (left.length === 1) break;
    const best = Math.min(...left.map(({ attempt }) => rank(attempt)));
    const kept = left.filter(({ attempt }) => rank(attempt) === best);
    if (kept.length < left.length) because = words;
    left = kept;
  }
  const [chosen] = left;
  return chosen === undefined ? undefined : { index: chosen.index, because };
}

/** Of a suite that is worse without naming a test, one; of one that was not run, none. */
function regressions(proof: Proof | undefined): number {
  const named = proof?.difference?.broken.length ?? 0;
  return named === 0 && proof?.verdict === 'suite-worse' ? 1 : named;
}

/** Proven, or kept from it by the suite alone. */
const isReproduced = (proof: Proof | undefined): boolean =>
  proof !== undefined && ['proven', 'suite-worse'].includes(proof.verdict);

/** Equal for changes that differ in white space, comments and tests only. */
function normalized(patch: Patch): string {
  const tests = new Set(patch.files.filter((file) => file.kind === 'test').map((file) => file.path));
  const hash = createHash('sha256');
  let counts = true;
  for (const line of diffBytes(patch).toString('latin1').split('\n')) {
    const path = /^diff --git a\/.* b\/(.*)$/.exec(line)?.[1];
    if (path !== undefined) {
      counts = !tests.has(path);
      if (counts) hash.update(`${path}\n`);
    } else if (counts && /^[+-](?![+-]{2} )/.test(line)) {
      const code = withoutComment(line.slice(1)).replaceAll(/\s+/g, '');
      if (code !== '') hash.update(`${line[0]}${code}\n`);
    }
  }
  return hash.digest('hex');
}

/** Whole lines of comment; what stands behind code is left, since `#` and `//` may be in a text. */
const withoutComment = (line: string): string =>
  /^\s*(?:#(?!\s*(?:include|define|if|endif|else))|\/\/|\/?\*|--|;|"""|''')/.test(line) ? '' : line;
