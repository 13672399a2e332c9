import type { Oracle } from './oracle.ts';

export interface Edges {
  files: number;
  /** Imports (sets of alternatives) that the oracle leads into the repository. */
  expected: number;
  missed: string[];
  ours: number;
  /** Edges of ours that the oracle contradicts. */
  wrong: string[];
  /** Edges of ours in files where the oracle leads some import nowhere: it does not say. */
  unjudged: string[];
}

/** Compares the edges of every file that the oracle knows. `ours` gives a file's edges to files. */
export function compareEdges(oracle: Oracle, ours: (file: string) => string[]): Edges {
  const edges: Edges = { files: 0, expected: 0, missed: [], ours: 0, wrong: [], unjudged: [] };
  for (const [file, { must, allowed, open }] of Object.entries(oracle)) {
    const own = new Set(ours(file));
    const right = new Set([...allowed, ...must.flat(), file]);
    const wanted = new Map(must.filter((one) => !one.includes(file)).map((one) => [one.join(' or '), one]));
    edges.files++;
    edges.expected += wanted.size;
    edges.ours += own.size;
    for (const [name, alternatives] of wanted)
      if (!alternatives.some((one) => own.has(one))) edges.missed.push(`${file} -> ${name}`);
    for (const target of own) {
      if (!right.has(target)) (open > 0 ? edges.unjudged : edges.wrong).push(`${file} -> ${target}`);
    }
  }
  return edges;
}
