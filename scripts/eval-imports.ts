import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ImportGraph } from '../src/repository/imports/import-graph.ts';
import { SourceFiles } from '../src/repository/source-files.ts';
import { compareEdges, type Edges } from './eval-imports/compare-edges.ts';
import type { Oracle } from './eval-imports/oracle.ts';
import { typescriptOracle } from './eval-imports/typescript-oracle.ts';
import { Checkouts } from './eval-ranker/checkouts.ts';

// `npm run eval:imports -- --repos DIR owner/name …`: the import graph beside Python's parser and TypeScript's resolver.
const SHOWN = 12;
const { values, positionals } = parseArgs({
  options: { repos: { type: 'string' } },
  allowPositionals: true,
});
if (values.repos === undefined || positionals.length === 0) {
  process.stderr.write('npm run eval:imports -- --repos DIR owner/name …   (clones as for eval:ranker)\n');
  process.exitCode = 2;
} else {
  const checkouts = new Checkouts(values.repos);
  for (const repository of positionals) {
    if (checkouts.gitDir(repository) === undefined) process.stdout.write(`${repository}: no clone, skipped\n\n`);
    else check(repository, checkouts.at(repository, 'HEAD'));
  }
  checkouts.remove();
}

function check(repository: string, tree: string): void {
  const source = new SourceFiles(tree);
  const graph = new ImportGraph(source);
  const files = [...source.sizes.keys()];
  const ours = (file: string): string[] => (graph.of(file)?.imports ?? []).filter((target) => !target.endsWith('/'));
  report(repository, "Python's ast", compareEdges(pythonOracle(source.root), ours));
  report(repository, "TypeScript's resolver", compareEdges(typescriptOracle(source.root, files), ours));
}

function pythonOracle(tree: string): Oracle {
  const script = join(import.meta.dirname, 'eval-imports/python_oracle.py');
  const json = execFileSync('python3', ['-W', 'ignore', script, tree], { encoding: 'utf8', maxBuffer: 2 ** 29 });
  return JSON.parse(json) as Oracle;
}

function report(repository: string, oracle: string, edges: Edges): void {
  if (edges.expected === 0 && edges.ours === 0) return;
  const { missed, wrong, unjudged } = edges;
  const code = unjudged.filter((edge) => /\.(?:pyi?|[cm]?[jt]sx?)$/.test(edge)).length;
  const figures = [
    `${edges.files} files, ${edges.expected} imports into the repository, ${missed.length} missed`,
    `${edges.ours} edges of ours, ${wrong.length} wrong, ${unjudged.length} of which it says nothing (${code} to code)`,
  ];
  process.stdout.write(`${repository}, ${oracle}:\n  ${figures.join('\n  ')}\n`);
  for (const [name, list] of Object.entries({ missed, wrong, unjudged }))
    for (const edge of list.slice(0, SHOWN)) process.stdout.write(`    ${name}: ${edge}\n`);
  process.stdout.write('\n');
}
