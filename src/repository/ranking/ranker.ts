import type { Suspect } from '../../domain/finding.ts';
import type { SourceFiles } from '../source-files.ts';
import { CodeIndex, type IndexedFile } from './code-index.ts';
import { FeatureSet, type Scored } from './features.ts';
import { type IssueSignals, issueSignals } from './issue-signals.ts';
import { phrasesIn, phrasesOf } from './phrases.ts';
import { type Feature, WEIGHTS } from './weights.ts';
import { Words } from './words.ts';

/** Files whose text is read again for phrases. */
const READ_AGAIN = 60;

export interface Compared {
  file: IndexedFile;
  scored: Scored;
  score: number;
}

/**
 * Ranks source files by their resemblance to an issue, in any language: BM25 over definitions, and the paths, names and
 * stack frames that the issue gives. Tests, documentation and examples are no candidates.
 */
export class Ranker {
  private readonly source: SourceFiles;
  private readonly buildMilliseconds: number | undefined;
  private readonly words = new Words();
  private index: CodeIndex | undefined;

  /** `buildMilliseconds` bounds the reading of files; those beyond it are no candidates. */
  constructor(source: SourceFiles, buildMilliseconds?: number) {
    this.source = source;
    this.buildMilliseconds = buildMilliseconds;
  }

  rank(issueText: string, limit: number): Suspect[] {
    return this.compare(issueText)
      .filter(({ score }) => score > 0)
      .slice(0, Math.max(0, limit))
      .map(({ file, scored, score }) => asSuspect(file, scored, score));
  }

  /** Every candidate, best first, with its features. */
  compare(issueText: string): Compared[] {
    this.index ??= new CodeIndex(this.source, this.words, this.buildMilliseconds);
    const signals = issueSignals(issueText);
    const { scored } = new FeatureSet(this.index, this.words, signals);
    const compared = this.index.files.map((file, number) => {
      const own = scored[number] as Scored;
      return { file, scored: own, score: scoreOf(own) };
    });
    this.addPhrases(compared, signals);
    return compared.sort(byScore);
  }

  private addPhrases(compared: Compared[], signals: IssueSignals): void {
    const phrases = phrasesOf(signals);
    if (phrases.size === 0) return;
    const holders = new Map<string, number>();
    const resembling = (one: Compared): number => one.scored.features.chunks ?? 0;
    const likely = [...compared].sort((a, b) => resembling(b) - resembling(a)).slice(0, READ_AGAIN);
    const found = likely.map((one) => {
      const file = this.source.text(one.file.path);
      const own = file.kind === 'text' ? phrasesIn(file.text, phrases) : [];
      for (const phrase of own) holders.set(phrase, (holders.get(phrase) ?? 0) + 1);
      return { one, own };
    });
    for (const { one, own } of found) {
      if (own.length === 0) continue;
      const worth = own.reduce((sum, phrase) => sum + 1 / (holders.get(phrase) as number), 0);
      one.scored.features.phrase = Math.min(2, worth);
      if (worth >= 0.5) one.scored.reasons.set('phrase', `it holds words of the message: "${own[0]}"`);
      one.score = scoreOf(one.scored);
    }
  }
}

const byScore = (a: Compared, b: Compared): number => b.score - a.score || (a.file.path < b.file.path ? -1 : 1);

function scoreOf({ features }: Scored): number {
  let score = 0;
  for (const [feature, value] of Object.entries(features)) score += WEIGHTS[feature as Feature] * value;
  return score;
}

function asSuspect(file: IndexedFile, scored: Scored, score: number): Suspect {
  const best = scored.bestChunks.map((at) => file.chunks[at]?.definition).filter((one) => one !== undefined);
  const definitions = best.map(({ name, startLine, endLine }) => ({ name, startLine, endLine }));
  const reasons = [
    ...new Set(REASON_ORDER.map((feature) => scored.reasons.get(feature)).filter((one) => one !== undefined)),
  ];
  const resembling = best[0] ? `its \`${best[0].name}\` uses words of the issue` : 'it uses words of the issue';
  return {
    path: file.path,
    score: Math.round(score * 1000) / 1000,
    definitions,
    reasons: [...reasons.slice(0, 3), resembling],
  };
}

const REASON_ORDER: Feature[] = [
  'innermostFrame',
  'frame',
  'path',
  'dottedDefinition',
  'definesTitle',
  'decorated',
  'module',
  'definesTicked',
  'defines',
  'phrase',
  'fileName',
  'nameInTitle',
];
