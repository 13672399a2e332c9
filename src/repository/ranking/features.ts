import type { CodeIndex } from './code-index.ts';
import type { IssueSignals } from './issue-signals.ts';
import { PathIndex } from './path-index.ts';
import type { Feature } from './weights.ts';
import type { Words } from './words.ts';

export interface Scored {
  features: Partial<Record<Feature, number>>;
  /** For people, strongest kind of evidence first. */
  reasons: Map<Feature, string>;
  /** Numbers of the file's best chunks, best first. */
  bestChunks: number[];
}

/** Compares one issue with every candidate file. */
export class FeatureSet {
  readonly scored: Scored[];
  private readonly index: CodeIndex;
  private readonly words: Words;
  private readonly signals: IssueSignals;
  private readonly paths: PathIndex;
  private readonly ownNames: Set<string>;
  private readonly ownWords: Set<string>;

  constructor(index: CodeIndex, words: Words, signals: IssueSignals) {
    this.index = index;
    this.words = words;
    this.signals = signals;
    const paths = index.files.map((file) => file.path);
    this.paths = new PathIndex(paths);
    this.ownNames = ownNames(paths);
    this.ownWords = new Set([...this.ownNames].flatMap((name) => words.of(name)));
    this.scored = index.files.map(() => ({ features: {}, reasons: new Map(), bestChunks: [] }));
    this.texts();
    this.pathsAndFrames();
    this.dottedNames();
    this.definitions();
    this.decorated();
    this.identifierCoverage();
    this.fileNames();
  }

  private texts(): void {
    const all = this.query(this.signals.text);
    const title = this.query(this.signals.title);
    const byText = this.index.chunkScores(all);
    const byHead = this.index.headScores(all);
    const byTitle = this.index.headScores(title);
    this.best(byText, 'chunks', 3);
    this.best(this.index.chunkScores(title), 'titleChunk', 1);
    this.best(byHead, 'head', 3);
    this.best(byTitle, 'titleHead', 1);
    this.nameBest([byText, byHead, byTitle]);
    this.relative([...this.index.fileScores(all)], 'wholeFile');
  }

  /** A project's own name stands everywhere and tells no place. */
  private query(text: string): Map<string, number> {
    const query = queryOf(this.words.of(text));
    for (const [word, weight] of query) if (this.ownWords.has(word)) query.set(word, weight * OWN_WORD);
    return query;
  }

  /** The sum of a file's best chunks, each counting less: 1, 1/2, 1/3. */
  private best(scores: Float64Array, feature: Feature, count: number): void {
    const values = this.index.files.map((file) => {
      const best = [...scores.subarray(file.from, file.to)].sort((a, b) => b - a).slice(0, count);
      return best.reduce((sum, score, at) => sum + score / (at + 1), 0);
    });
    this.relative(values, feature);
  }

  /** The chunks to name to a person: by text, head and title together. */
  private nameBest(all: Float64Array[]): void {
    const greatest = all.map((scores) => scores.reduce((a, b) => Math.max(a, b), 1e-9));
    this.index.files.forEach(({ from, to }, number) => {
      const sums = Array.from({ length: to - from }, (_, at) => ({
        at,
        score: all.reduce((sum, scores, one) => sum + (scores[from + at] as number) / (greatest[one] as number), 0),
      }));
      const best = sums.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
      this.at(number).bestChunks = best.slice(0, 3).map(({ at }) => at);
    });
  }

  /** Divides by the greatest, so that issues of any length compare. */
  private relative(values: number[], feature: Feature): void {
    const greatest = values.reduce((a, b) => Math.max(a, b), 0);
    if (greatest <= 0) return;
    for (const [number, value] of values.entries()) this.raise(number, feature, value / greatest);
  }

  private pathsAndFrames(): void {
    for (const path of this.signals.paths) {
      const { files, shared } = this.paths.endingLike(path);
      const whole = shared > 1 || (files.length === 1 && path.includes('/'));
      const reason = whole ? 'the issue names its path' : 'the issue names its file name';
      for (const file of files) this.raise(file, whole ? 'path' : 'fileName', 1 / files.length, reason);
    }
    const frames = this.signals.frames.map(({ path, line }) => ({ file: this.frameFile(path), line }));
    const known = frames.filter((frame) => frame.file !== undefined) as { file: number; line: number }[];
    for (const [order, { file, line }] of known.entries()) {
      this.raise(file, 'frame', 1, `it is in the stack trace, at line ${line}`);
      if (order === 0) this.raise(file, 'innermostFrame', 1, `the stack trace ends in it, at line ${line}`);
    }
  }

  /** The one file that a frame is in; a bare name shared with a file of another package is not enough. */
  private frameFile(path: string): number | undefined {
    const { files, shared } = this.paths.endingLike(path);
    return files.length === 1 && (shared > 1 || path.split('/').length <= 3) ? files[0] : undefined;
  }

  private dottedNames(): void {
    for (const dotted of this.signals.dotted) {
      const names = dotted.split('.');
      const found = this.paths.module(dotted);
      const partly = found && names.length - found.rest.length > 1;
      if (partly) this.add(found.file, 'module', 1, `the issue names its module, in \`${dotted}\``);
      const owners = new Set(this.index.defining(names.at(-2) ?? ''));
      const defining = this.index.defining(names.at(-1) as string).filter((file) => owners.has(file));
      for (const file of defining) this.add(file, 'dottedDefinition', 1, `it defines \`${dotted}\``);
    }
  }

  private definitions(): void {
    const { identifiers, titleNames } = this.signals;
    for (const name of new Set([...identifiers, ...titleNames])) {
      const files = name.length < 3 ? [] : this.index.defining(name);
      const reason = files.length <= 5 ? `it defines \`${name}\`, which the issue names` : undefined;
      const share = files.length ** -0.7 * (this.ownNames.has(name.toLowerCase()) ? OWN_WORD : 1);
      for (const file of files) this.addDefinition(file, name, share, reason);
    }
  }

  /** A command, route or option that a decorator names and the title speaks of. */
  private decorated(): void {
    for (const name of this.signals.titleNames) {
      const files = this.ownNames.has(name.toLowerCase()) ? [] : this.index.decorated(name);
      for (const file of files) {
        this.add(file, 'decorated', files.length ** -0.7, `it defines what a decorator names \`${name}\``);
      }
    }
  }

  private addDefinition(file: number, name: string, share: number, reason: string | undefined): void {
    const { identifiers, ticked, titleNames } = this.signals;
    const named = identifiers.has(name);
    if (named) this.add(file, 'defines', share, reason);
    if (ticked.has(name)) this.add(file, 'definesTicked', share, reason);
    if (titleNames.has(name) && (named || /[A-Z_]/.test(name))) this.add(file, 'definesTitle', share, reason);
  }

  private identifierCoverage(): void {
    const total = this.index.files.length;
    let sum = 0;
    const values = new Array<number>(total).fill(0);
    for (const name of this.signals.identifiers) {
      const [whole] = this.words.of(name).slice(-1);
      const files = whole === undefined ? new Set<number>() : this.index.holding(whole);
      if (files.size === 0) continue;
      const worth = Math.log(1 + total / files.size);
      sum += worth;
      for (const file of files) values[file] = (values[file] as number) + worth;
    }
    if (sum === 0) return;
    for (const [file, value] of values.entries()) this.raise(file, 'identifiers', value / sum);
  }

  private fileNames(): void {
    const title = new Set(this.words.of(this.signals.title));
    const text = new Set(this.words.of(this.signals.text));
    this.index.files.forEach(({ path }, number) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (PACKAGE_FILE.test(name)) this.raise(number, 'packageFile', 1);
      const words = new Set(this.words.of(name.replace(/\.[a-z]+$/i, '')));
      if (words.size === 0) return;
      const share = (of: Set<string>): number => [...words].filter((word) => of.has(word)).length / words.size;
      this.raise(
        number,
        'nameInTitle',
        share(title),
        share(title) === 1 ? 'the title uses the words of its name' : undefined,
      );
      this.raise(number, 'nameInText', share(text));
    });
  }

  private at(number: number): Scored {
    return this.scored[number] as Scored;
  }

  private raise(number: number, feature: Feature, value: number, reason?: string): void {
    const { features, reasons } = this.at(number);
    if (value <= (features[feature] ?? 0)) return;
    features[feature] = value;
    if (reason) reasons.set(feature, reason);
  }

  private add(number: number, feature: Feature, value: number, reason?: string): void {
    const { features, reasons } = this.at(number);
    features[feature] = Math.min(2, (features[feature] ?? 0) + value);
    if (reason && !reasons.has(feature)) reasons.set(feature, reason);
  }
}

/** How much a project's own name counts beside other words. */
const OWN_WORD = 0.3;

/** Folders that hold most of the files: they bear the project's name. */
function ownNames(paths: readonly string[]): Set<string> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    for (const folder of new Set(path.toLowerCase().split('/').slice(0, -1)))
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > paths.length * 0.6).map(([folder]) => folder));
}

const PACKAGE_FILE = /^(?:__init__\.pyi?|index\.[cm]?[jt]sx?|mod\.rs|package-info\.java)$/;

/** Words with their weights: repeated words count, each time less. */
export function queryOf(words: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].map(([word, count]) => [word, 1 + Math.log(count)]));
}
