import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readDataset } from '../src/evaluation/datasets/read-dataset.ts';
import { WEIGHTS } from '../src/repository/ranking/weights.ts';
import { Checkouts } from './eval-ranker/checkouts.ts';
import { compare, figuresOf, type Ranking, rankBy } from './eval-ranker/figures.ts';
import { fitWeights, type Weights } from './eval-ranker/fit-weights.ts';
import { type Candidate, type Measured, measure } from './eval-ranker/measure.ts';
import { type Options, readOptions, USAGE } from './eval-ranker/options.ts';
import { comparisonTable, figuresTable } from './eval-ranker/report.ts';

// `npm run eval:ranker`: how often the lexical ranking names the file that was fixed, beside plain BM25. Ours is fitted
// anew for every repository, to the issues of the other repositories alone. docs/ranking.md tells the rest.
const options = readOptions(process.argv.slice(2));
if (options) evaluate(options);
else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}

function evaluate(options: Options): void {
  const measured = measuredFor(options);
  const repositories = [...new Set(measured.map(({ repository }) => repository))];
  if (repositories.length < 2) throw new Error('issues of two repositories at least are needed');
  const fitted = new Map(repositories.map((one) => [one, fitWeights(measured.filter((m) => m.repository !== one))]));
  const by = (score: (candidate: Candidate, repository: string) => number): Ranking[] =>
    measured.map(({ candidates, repository }) => rankBy(candidates, (one) => score(one, repository)));
  const ours = by(({ features }, repository) => scoreOf(features, fitted.get(repository) as Weights));
  const baselines = {
    'plain BM25': by(({ plain }) => plain),
    'BM25, our words': by(({ features }) => features.wholeFile ?? 0),
    'BM25, our words, best definitions': by(({ features }) => features.chunks ?? 0),
  };
  const rows = Object.entries({ ...baselines, 'ours, trained on the others': ours });
  process.stdout.write(`${measured.length} issues of ${repositories.length} repositories, in per cent\n\n`);
  process.stdout.write(
    figuresTable(rows.map(([name, rankings]) => ({ name, figures: figuresOf(measured, rankings) }))),
  );
  for (const [name, rankings] of Object.entries(baselines))
    process.stdout.write(`\n${comparisonTable(name, compare(measured, rankings, ours))}`);
  process.stdout.write(`\nBy repository\n${byRepository(measured, repositories, baselines['plain BM25'], ours)}`);
  const times = measured.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  process.stdout.write(`\nCold ranking: median ${times[times.length >> 1]} ms, longest ${times.at(-1)} ms\n`);
  if (options.fit) process.stdout.write(`\n${weightsText(fitWeights(measured))}`);
}

function measuredFor({ data, repos, features }: Options): Measured[] {
  if (features !== undefined && existsSync(features)) return JSON.parse(readFileSync(features, 'utf8')) as Measured[];
  const { instances, bad } = readDataset(readFileSync(data, 'utf8'));
  for (const { line, reason } of bad) process.stderr.write(`${data}, line ${line} left out: ${reason}\n`);
  const checkouts = new Checkouts(repos);
  const known = instances.filter(({ repo }) => checkouts.gitDir(repo) !== undefined);
  process.stderr.write(`${instances.length - known.length} of ${instances.length} issues have no clone in ${repos}\n`);
  known.sort((a, b) => (a.instance_id < b.instance_id ? -1 : 1));
  const measured = known.map((instance) => {
    const one = measure(instance, checkouts.at(instance.repo, instance.base_commit));
    process.stderr.write(`${one.instance}: ${one.candidates.length} candidates in ${one.milliseconds} ms\n`);
    return one;
  });
  checkouts.remove();
  if (features !== undefined) writeFileSync(features, JSON.stringify(measured));
  return measured;
}

function scoreOf(features: Candidate['features'], weights: Weights): number {
  return Object.entries(features).reduce((sum, [name, value]) => sum + weights[name as keyof Weights] * value, 0);
}

function byRepository(measured: Measured[], names: string[], control: Ranking[], ours: Ranking[]): string {
  return names
    .map((name) => {
      const at = measured.flatMap(({ repository }, index) => (repository === name ? [index] : []));
      const own = at.map((index) => measured[index] as Measured);
      const rows = [control, ours].map((all) =>
        figuresOf(
          own,
          at.map((index) => all[index] as Ranking),
        ),
      );
      const [before, after] = rows.map((figures) =>
        figures.map(({ accuracy }) => Math.round((accuracy?.value ?? 0) * own.length)).join(' '),
      );
      return `${name.padEnd(34)}${own.length} issues, hits @1 @5 @10: plain BM25 ${before}, ours ${after}\n`;
    })
    .join('');
}

function weightsText(weights: Weights): string {
  const lines = Object.keys(WEIGHTS).map((name) => `  ${name}: ${weights[name as keyof Weights].toFixed(2)},`);
  return `Fitted to all:\n${lines.join('\n')}\n`;
}
