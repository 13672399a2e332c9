import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/jobs/open-database.ts';
import { peakKibibytes, residentKibibytes } from '../bench/peak-memory.ts';
import { signatureOf } from '../github-front/deliveries.ts';
import { REPOSITORY } from '../leap-front.ts';
import { type Figure, type PartResult, quantileOf } from './figures.ts';
import { judgeDeliveries, type StoredDelivery } from './judge-deliveries.ts';
import { openPlace, type Place } from './place.ts';

export interface Storm {
  deliveries: number;
  seconds: number;
}

/** What a server may take to act on all of them once the last one was answered. */
const DRAIN_MS = 600_000;
const ATTEMPTS = 3;
/** The emulator answers no more than 5,000 requests of one token. */
const REFUSED_A_TOKEN = 500;

/**
 * Labels on as many issues, evenly over the time and each of them twice at once, to a server that acts on them meanwhile.
 * They come from somebody who may not ask: the queue is worked through, and there are no runs.
 */
export async function storm(kind: Place['kind'], { deliveries, seconds }: Storm): Promise<PartResult> {
  const variables = { FATHOM_CONCURRENCY: '8', FATHOM_REPOSITORY_CONCURRENCY: '8' };
  await using place = await openPlace(kind, { variables, model: false });
  const refused: string[] = [];
  place.fleet.listen((line) => {
    if (line['msg'] !== 'request refused') return;
    refused.push(String(line['entry']));
    if (refused.length % REFUSED_A_TOKEN === 0) place.front.killInstallationTokens();
  });
  await place.fleet.start('server');
  const body = await oneLabel(place);
  const { pid, url } = place.fleet.server();
  const before = residentKibibytes(pid);
  const sent = Array.from({ length: deliveries }, (_, index) => ({ id: randomUUID(), body: payloadOf(body, index) }));
  const started = performance.now();
  const send = (one: Sent) => post(`${url}/api/github/webhooks`, place, one);
  const answers = await sendAll(sent, seconds, send);
  const taken = await sendAgain(sent, answers, send);
  const drained = await until(() => new Set(refused).size >= deliveries, DRAIN_MS);
  const took = (performance.now() - started) / 1000;
  const [after, peak] = [residentKibibytes(pid), peakKibibytes(pid)];
  await place.fleet.stop();
  const verdict = judgeDeliveries(taken, await stored(place), refused);
  const name = `${deliveries} deliveries in ${seconds} s, each twice`;
  const broken = [
    ...verdict.broken,
    ...(taken.length === deliveries ? [] : [`${deliveries - taken.length} were not taken`]),
    ...(drained ? [] : ['not all were acted upon in time']),
  ];
  return {
    tally: verdict.tally,
    broken: broken.map((words) => `${kind}, ${name}: ${words}`),
    figures: figuresOf(kind, name, answers, { took, before, after, peak }),
  };
}

function figuresOf(
  database: Place['kind'],
  storm: string,
  answers: Answer[],
  { took, before, after, peak }: Record<'took' | 'before' | 'after' | 'peak', number>,
): Figure[] {
  const milliseconds = answers.filter(isTaken).map((answer) => answer.milliseconds);
  const figure = (name: string, unit: Figure['unit'], values: number[]) => ({
    database,
    name: `${storm}: ${name}`,
    unit,
    values,
  });
  return [
    figure('acknowledged', 'ms', milliseconds),
    figure('p50', 'ms', [quantileOf(milliseconds, 0.5)]),
    figure('p99', 'ms', [quantileOf(milliseconds, 0.99)]),
    figure('refused, and sent again', '', [answers.filter((answer) => !isTaken(answer)).length]),
    figure('all acted upon', 's', [took]),
    figure('memory before', 'MiB', [before / 1024]),
    figure('memory after', 'MiB', [after / 1024]),
    figure('most memory', 'MiB', [peak / 1024]),
  ];
}

/** GitHub's own delivery of a label, once it was acted upon. */
async function oneLabel({ front, fleet }: Place): Promise<Buffer> {
  const ended = Promise.withResolvers<void>();
  fleet.listen((line) => line['msg'] === 'run ended' && ended.resolve());
  const { number } = await front.as('rita').open(REPOSITORY, { title: 'A first one', body: 'It goes wrong.' });
  await front.as('maria').label(REPOSITORY, number, 'auto-triage');
  await ended.promise;
  return front.deliveries.log.findLast(({ action }) => action === 'labeled')?.body ?? Buffer.alloc(0);
}

function payloadOf(body: Buffer, index: number): string {
  const payload = JSON.parse(body.toString()) as { issue: object; sender: object };
  const number = 100_000 + index;
  const sender = { ...payload.sender, login: 'rita' };
  return JSON.stringify({ ...payload, issue: { ...payload.issue, id: number, number }, sender });
}

interface Sent {
  id: string;
  body: string;
}
interface Answer {
  id: string;
  status: number;
  milliseconds: number;
}

async function sendAll(sent: Sent[], seconds: number, send: (one: Sent) => Promise<Answer>): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  const started = performance.now();
  for (const [index, one] of sent.entries()) {
    await delay(Math.max(0, started + (index * seconds * 1000) / sent.length - performance.now()));
    answers.push(send(one), send(one));
  }
  return Promise.all(answers);
}

const isTaken = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** What was refused is asked for again, as Fathom does of GitHub. Gives the ids of those that were taken in the end. */
async function sendAgain(sent: Sent[], answers: Answer[], send: (one: Sent) => Promise<Answer>): Promise<string[]> {
  const taken = new Set(answers.filter(isTaken).map(({ id }) => id));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    for (const one of sent.filter(({ id }) => !taken.has(id))) if (isTaken(await send(one))) taken.add(one.id);
  }
  return [...taken];
}

async function post(url: string, { front }: Place, { id, body }: Sent): Promise<Answer> {
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'issues',
    'x-github-delivery': id,
    'x-hub-signature-256': signatureOf(front.webhookSecret, body),
  };
  const started = performance.now();
  const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
  await response?.arrayBuffer();
  return { id, status: response?.status ?? 0, milliseconds: performance.now() - started };
}

/** False when it did not come about in time. */
export async function until(is: () => boolean | Promise<boolean>, milliseconds: number): Promise<boolean> {
  const limit = Date.now() + milliseconds;
  while (!(await is())) {
    if (Date.now() > limit) return false;
    await delay(50);
  }
  return true;
}

async function stored(place: Place): Promise<StoredDelivery[]> {
  const database = await openDatabase(place.database);
  try {
    return await database.query<StoredDelivery>(
      `SELECT e.delivery_id AS delivery, e.id::text AS entry, e.outcome,
         (SELECT count(*)::int FROM pgboss.job j WHERE j.name = 'issue' AND j.singleton_key = e.issue_key) AS jobs
       FROM fathom.inbox e`,
    );
  } finally {
    await database.close();
  }
}
