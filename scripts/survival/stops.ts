import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { askServer } from '../../src/cli/admin-client.ts';
import { RunSummary } from '../../src/jobs/operations.ts';
import { connectEngine } from '../../src/sandbox/engine-client.ts';
import { REPOSITORY } from '../leap-front.ts';
import { emptyResult, type Figure, type PartResult } from './figures.ts';
import { judgeRun } from './judge-run.ts';
import { closePulls, observe, openIssue } from './observe.ts';
import { openPlace, type Place } from './place.ts';
import { readLedger } from './read-ledger.ts';
import { seeded } from './seeded.ts';
import { addTallies } from './tally.ts';

/** So that most moments of a run have containers. */
const THINK_MS = 400;
const LOOK_MS = 20;
const RUN_MS = 240_000;
const ways = ['label removed', 'issue closed', '/fathom stop', 'by the operator'] as const;
type Way = (typeof ways)[number];

interface Stopped {
  caseNumber: number;
  issue: number;
  way: Way;
  /** Containers at the moment of the stop. */
  containers: number;
  /** Until the last one was gone, and until the run had ended; undefined where the run was faster than the stop. */
  seconds: { gone: number; ended: number } | undefined;
  /** Questions to the model that came more than three seconds after the stop. */
  lateCalls: number;
}

/** Repairs that are stopped at a moment that the seed chooses, in one of the ways there are. */
export async function stops(
  kind: Place['kind'],
  count: number,
  seed: number,
  say: (line: string) => void,
): Promise<PartResult> {
  const engine = connectEngine({});
  const random = seeded(seed + (kind === 'postgres' ? 1 : 0));
  await using place = await openPlace(kind, { thinkMs: THINK_MS });
  for (const member of place.members) await place.fleet.start(member);
  const length = await lengthOfRun(place);
  say(`${kind}: a run takes ${(length / 1000).toFixed(1)} s`);
  const stopped: Stopped[] = [];
  for (let caseNumber = 2; stopped.filter(({ seconds }) => seconds).length < count && caseNumber < 3 * count; ) {
    const moment = random() * length;
    const way = ways[Math.floor(random() * ways.length)] ?? 'issue closed';
    const one = await stopOne(place, engine, { caseNumber, moment, way });
    stopped.push(one);
    caseNumber += 1;
    const outcome = one.seconds === undefined ? 'it was over before' : `gone after ${one.seconds.gone.toFixed(2)} s`;
    say(`${kind}: ${way} after ${(moment / 1000).toFixed(1)} s, ${one.containers} containers: ${outcome}`);
  }
  await place.fleet.stop();
  return await judgeStops(place, engine, stopped);
}

async function lengthOfRun(place: Place): Promise<number> {
  const issue = await openIssue(place, 1);
  const watch = watchRun(place, issue);
  await place.front.as('maria').label(REPOSITORY, issue, 'auto-triage');
  await watch.takenUp;
  const started = Date.now();
  const ended = await watch.ended;
  await closePulls(place, issue);
  return ended - started;
}

function watchRun({ fleet }: Place, issue: number) {
  const takenUp = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<number>();
  const unlisten = fleet.listen((line) => {
    if (!String(line['issue']).endsWith(`#${issue}`)) return;
    if (line['msg'] === 'run taken up') takenUp.resolve(String(line['run']));
    if (line['msg'] === 'run ended') ended.resolve(Date.now());
  });
  const late = delay(RUN_MS, undefined, { ref: false }).then(() => {
    throw new Error(`the run on #${issue} did not end within ${RUN_MS / 1000} s`);
  });
  return { takenUp: takenUp.promise, ended: Promise.race([ended.promise, late]).finally(unlisten) };
}

async function stopOne(
  place: Place,
  engine: Docker,
  { caseNumber, moment, way }: { caseNumber: number; moment: number; way: Way },
): Promise<Stopped> {
  const issue = await openIssue(place, caseNumber);
  const watch = watchRun(place, issue);
  await place.front.as('maria').label(REPOSITORY, issue, 'auto-triage');
  const run = await watch.takenUp;
  const state: { endedAt?: number } = {};
  const over = watch.ended.then((at) => {
    state.endedAt = at;
  });
  await delay(moment);
  const containers = await containersOf(engine, run);
  const early = state.endedAt !== undefined;
  const since = early ? Date.now() : await stopBy(place, issue, run, way);
  let lastSeen = since;
  while (state.endedAt === undefined || (await containersOf(engine, run)) > 0) {
    if ((await containersOf(engine, run)) > 0) lastSeen = Date.now();
    await Promise.race([delay(LOOK_MS), over]);
  }
  await closePulls(place, issue);
  const about = { caseNumber, issue, way, containers };
  const lateCalls = place.model.calls.filter(
    (call) => call.caseNumber === caseNumber && call.at > since + 3000 && !early,
  ).length;
  const isOver = early || (state.endedAt ?? 0) < since;
  const seconds = { gone: (lastSeen - since) / 1000, ended: ((state.endedAt ?? 0) - since) / 1000 };
  return { ...about, lateCalls, seconds: isOver ? undefined : seconds };
}

const containersOf = async (engine: Docker, run: string): Promise<number> =>
  (await engine.listContainers({ all: true, filters: { label: [`fathom.run=${run}`] } })).length;

/** When the stop was received: the moment at which its delivery leaves, or at which the operator asks. */
async function stopBy(place: Place, issue: number, run: string, way: Way): Promise<number> {
  const maria = place.front.as('maria');
  const asked = Date.now();
  if (way === 'by the operator') {
    await askServer(place.fleet.dataDir('server'), 'POST', `/runs/${run}/stop`, RunSummary).catch(() => undefined);
    return asked;
  }
  if (way === 'label removed') await maria.unlabel(REPOSITORY, issue, 'auto-triage');
  if (way === 'issue closed') await maria.close(REPOSITORY, issue);
  if (way === '/fathom stop') await maria.comment(REPOSITORY, issue, '/fathom stop');
  const action = { 'label removed': 'unlabeled', 'issue closed': 'closed', '/fathom stop': 'created' }[way];
  const delivery = await place.front.deliveries.arrived(
    (one) => one.action === action && one.body.includes(`/issues/${issue}"`) && Date.parse(one.deliveredAt) >= asked,
  );
  return Date.parse(delivery.deliveredAt);
}

async function judgeStops(place: Place, engine: Docker, stopped: Stopped[]): Promise<PartResult> {
  const ledger = await readLedger(place.database);
  const result = emptyResult();
  for (const { caseNumber, issue, way, lateCalls } of stopped) {
    const runs = ledger.filter((run) => run.issue === issue);
    const { tally, broken } = judgeRun({ ...(await observe(place, { caseNumber, issue }, runs)), expected: 'told' });
    const left = (await Promise.all(runs.map(({ id }) => containersOf(engine, id)))).reduce((a, b) => a + b, 0);
    if (left > 0) broken.push(`${left} containers are left`);
    if (lateCalls > 0) broken.push(`the model was asked ${lateCalls} times more than 3 s after it`);
    result.tally = addTallies(result.tally, tally);
    result.broken.push(...broken.map((words) => `${place.kind}, stop (${way}) of #${issue}: ${words}`));
  }
  const timed = stopped.flatMap(({ seconds, containers }) => (seconds ? [{ ...seconds, containers }] : []));
  const figure = (name: string, unit: Figure['unit'], values: number[]) => ({
    database: place.kind,
    name: `stops: ${name}`,
    unit,
    values,
  });
  const met = timed.filter(({ containers }) => containers > 0);
  result.figures = [
    figure(
      'containers gone',
      's',
      timed.map(({ gone }) => gone),
    ),
    figure(
      'containers gone, where there were some',
      's',
      met.map(({ gone }) => gone),
    ),
    figure(
      'run ended and told',
      's',
      timed.map(({ ended }) => ended),
    ),
  ];
  return result;
}
