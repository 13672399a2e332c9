import { Stage } from '../../src/domain/stage.ts';

export type DatabaseKind = 'embedded' | 'postgres';

const moments = ['start', 'middle', 'end'] as const;

/** Where in a run its process is killed. `end`: right after the stage's artefact was kept. */
export interface KillPoint {
  stage: Stage;
  moment: (typeof moments)[number];
}

export const killPoints: KillPoint[] = Stage.options.flatMap((stage) => moments.map((moment) => ({ stage, moment })));

/** What happens to one full run. */
export type Case =
  | { kind: 'whole' }
  | { kind: 'kill'; point: KillPoint }
  /** The container with this purpose is taken away while it works. */
  | { kind: 'lost-container'; purpose: string };

export const nameOf = (one: Case): string => {
  if (one.kind === 'whole') return 'nothing happens';
  if (one.kind === 'lost-container') return `container of ${one.purpose} lost`;
  return `kill -9 at the ${one.point.moment} of ${one.point.stage}`;
};

const lost = (purpose: string): Case => ({ kind: 'lost-container', purpose });
const others: Case[] = [
  { kind: 'whole' },
  lost('answerer-Q1'),
  lost('resolver'),
  { kind: 'whole' },
  lost('answerer-Q2'),
  lost('prove-suite-base'),
];

/**
 * Thirty full runs over the databases. With two of them each stage is killed on both, and another seed changes places;
 * with one it gets them all.
 */
export function planRuns(databases: DatabaseKind[], seed: number): Record<DatabaseKind, Case[]> {
  const plan: Record<DatabaseKind, Case[]> = { embedded: [], postgres: [] };
  for (const [index, point] of killPoints.entries()) {
    const kind = databases[(index + seed) % databases.length];
    if (kind !== undefined) plan[kind].push({ kind: 'kill', point });
  }
  const share = others.length / databases.length;
  for (const [index, kind] of databases.entries()) {
    const [first, ...rest] = others.slice(index * share, (index + 1) * share);
    plan[kind] = [...(first ? [first] : []), ...plan[kind], ...rest];
  }
  return plan;
}
