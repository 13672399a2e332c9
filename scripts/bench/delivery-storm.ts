import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../../src/jobs/open-database.ts';
import { signatureOf } from '../github-front/deliveries.ts';
import type { GitHubFront } from '../github-front/github-front.ts';
import type { Measured } from './alternate.ts';

const DELIVERIES = 500;
const SECONDS = 10;

export interface Storm {
  measured: Measured[];
  /** @throws Error when one that was acknowledged is not in the database of the server, which has to be stopped. */
  expectStored(database: { url: string | undefined; dataDir: string }): Promise<void>;
}

/**
 * Sends 500 labels in 10 seconds, each on an issue of its own, evenly and whether or not the ones before were answered;
 * the worker works on them meanwhile. @throws Error when one of them is not acknowledged
 */
export async function deliverStorm(front: GitHubFront, url: string, kind: string): Promise<Storm> {
  const model = front.deliveries.log.findLast(({ action }) => action === 'labeled');
  if (model === undefined) throw new Error('no label was delivered before');
  const ids: string[] = [];
  const sent: Promise<number>[] = [];
  const started = performance.now();
  for (let count = 0; count < DELIVERIES; count++) {
    await setTimeout(Math.max(0, started + (count * SECONDS * 1000) / DELIVERIES - performance.now()));
    const id = randomUUID();
    ids.push(id);
    sent.push(acknowledged(url, front.webhookSecret, id, payloadOf(model.body, count)));
  }
  const milliseconds = (await Promise.all(sent)).sort((a, b) => a - b);
  const at = (share: number) => milliseconds[Math.ceil(share * DELIVERIES) - 1] ?? Number.NaN;
  const row = (name: string, share: number): Measured => ({
    name: `acknowledged, ${DELIVERIES} in ${SECONDS} s, ${kind}: ${name}`,
    unit: 'ms',
    values: [at(share)],
  });
  return {
    measured: [row('p50', 0.5), row('p99', 0.99), row('slowest', 1)],
    expectStored: (database) => expectStored(database, ids),
  };
}

/** The same label on another issue, by somebody who may not ask: a run for each would measure the runs. */
function payloadOf(body: Buffer, count: number): string {
  const payload = JSON.parse(body.toString()) as { issue: object; sender: object };
  const number = 100_000 + count;
  const sender = { ...payload.sender, login: 'rita' };
  return JSON.stringify({ ...payload, issue: { ...payload.issue, id: number, number }, sender });
}

async function acknowledged(url: string, secret: string, id: string, body: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'issues',
    'x-github-delivery': id,
    'x-hub-signature-256': signatureOf(secret, body),
  };
  const started = performance.now();
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`a delivery was answered with ${response.status}`);
  return performance.now() - started;
}

async function expectStored(where: { url: string | undefined; dataDir: string }, ids: string[]): Promise<void> {
  const database = await openDatabase(where, () => undefined);
  try {
    const rows = await database.query<{ stored: string | number }>(
      'SELECT count(*) AS stored FROM fathom.inbox WHERE delivery_id = ANY($1)',
      [ids],
    );
    const stored = Number(rows[0]?.stored);
    if (stored !== ids.length) throw new Error(`${ids.length - stored} acknowledged deliveries were lost`);
  } finally {
    await database.close();
  }
}
