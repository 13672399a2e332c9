import { addResults, type PartResult } from './figures.ts';
import { jobs } from './jobs.ts';
import type { DatabaseKind } from './kill-points.ts';
import { storm } from './storm.ts';

const storms = [
  { deliveries: 500, seconds: 10 },
  { deliveries: 2000, seconds: 60 },
];

/** Queue and ledger without containers: storms of deliveries, and on PostgreSQL workers and a database that go away. */
export async function queueAlone(kind: DatabaseKind, say: (line: string) => void): Promise<PartResult> {
  const results: PartResult[] = [];
  for (const one of storms) {
    say(`${kind}: ${one.deliveries} deliveries in ${one.seconds} s, each twice`);
    results.push(await storm(kind, one));
  }
  if (kind === 'postgres') results.push(await jobs(say));
  return addResults(results);
}
