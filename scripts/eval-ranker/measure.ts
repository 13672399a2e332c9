import { goldOf } from '../../src/evaluation/datasets/gold.ts';
import type { Instance } from '../../src/evaluation/datasets/instance.ts';
import { Ranker } from '../../src/repository/ranking/ranker.ts';
import type { Feature } from '../../src/repository/ranking/weights.ts';
import { SourceFiles } from '../../src/repository/source-files.ts';
import { plainBm25 } from './plain-bm25.ts';

export interface Candidate {
  path: string;
  features: Partial<Record<Feature, number>>;
  plain: number;
}

/** One issue with every candidate file; gold files that are no candidates count as never found. */
export interface Measured {
  instance: string;
  repository: string;
  gold: string[];
  candidates: Candidate[];
  /** Reading, indexing and ranking, from nothing. */
  milliseconds: number;
}

export function measure(instance: Instance, tree: string): Measured {
  const started = performance.now();
  const source = new SourceFiles(tree);
  const compared = new Ranker(source, Number.POSITIVE_INFINITY).compare(instance.problem_statement);
  const milliseconds = Math.round(performance.now() - started);
  const texts = compared.map(({ file }) => {
    const text = source.text(file.path);
    return text.kind === 'text' ? text.text : '';
  });
  const plain = plainBm25(texts, instance.problem_statement);
  const candidates = compared.map(({ file, scored }, at) => ({
    path: file.path,
    features: rounded(scored.features),
    plain: plain[at] as number,
  }));
  candidates.sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    instance: instance.instance_id,
    repository: instance.repo,
    gold: goldOf(instance.patch).files,
    candidates,
    milliseconds,
  };
}

function rounded(features: Candidate['features']): Candidate['features'] {
  return Object.fromEntries(Object.entries(features).map(([name, value]) => [name, Math.round(value * 1e5) / 1e5]));
}
