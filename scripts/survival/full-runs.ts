import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { connectEngine } from '../../src/sandbox/engine-client.ts';
import { REPOSITORY } from '../leap-front.ts';
import { emptyResult, type Figure, type PartResult } from './figures.ts';
import { hasMet, judgeRun } from './judge-run.ts';
import { type Case, nameOf } from './kill-points.ts';
import { closePulls, observe, openIssue } from './observe.ts';
import { openPlace, type Place } from './place.ts';
import { type LedgerRun, readLedger } from './read-ledger.ts';
import { killAt, type Struck, watchContainers } from './strike.ts';
import { addTallies } from './tally.ts';

const RUN_MS = 240_000;
/** What is promised of a run whose process was killed, from when a worker is there. */
const RESUMED_WITHIN_SECONDS = 15;
/** A kill that came too late is dealt again, to another run. */
const ATTEMPTS = 6;

/** A run that is over, with what was kept when its process was killed. */
interface Finished {
  caseNumber: number;
  issue: number;
  what: Case;
  kill?: { at: number; kept: LedgerRun | undefined };
  resumedAfter?: number;
  seconds: number;
}

/** Full runs with containers on one database, one after another, each with what is to happen to it. */
export async function fullRuns(kind: Place['kind'], cases: Case[], say: (line: string) => void): Promise<PartResult> {
  const engine = connectEngine({});
  await using place = await openPlace(kind, { variables: { FATHOM_VERIFIER: 'light' } });
  for (const member of place.members) await place.fleet.start(member);
  const finished: Finished[] = [];
  const counter = { cases: 0, missed: 0 };
  for (const [index, what] of cases.entries()) {
    for (let attempt = 1; ; attempt++) {
      counter.cases += 1;
      const one = await runOne(place, engine, counter.cases, what);
      finished.push(one);
      const met = what.kind !== 'kill' || hasMet(what.point, one.kill?.kept);
      say(`${kind}: run ${index + 1} of ${cases.length}, ${nameOf(what)}: ${outcome(one, met)}`);
      if (met || attempt === ATTEMPTS) break;
      counter.missed += 1;
    }
  }
  await place.fleet.stop();
  // Before the place is cleared away.
  return await judgeAll(place, engine, finished, counter.missed);
}

const outcome = ({ resumedAfter, seconds }: Finished, met: boolean): string => {
  const resumed = resumedAfter === undefined ? '' : `, went on after ${resumedAfter.toFixed(1)} s`;
  return `${seconds.toFixed(1)} s${resumed}${met ? '' : ' (killed too late: once more)'}`;
};

async function runOne(place: Place, engine: Docker, caseNumber: number, what: Case): Promise<Finished> {
  const started = Date.now();
  const issue = await openIssue(place, caseNumber);
  const ended = watchEnd(place, issue);
  const spoilt = what.kind === 'lost-container' ? await loseContainer(engine, place, issue, what.purpose) : undefined;
  const killing = what.kind === 'kill' ? killAt(place, engine, { caseNumber, issue, point: what.point }) : undefined;
  await place.front.as('maria').label(REPOSITORY, issue, 'auto-triage');
  const struck = killing && (await Promise.race([killing, ended.over.then(() => undefined)]));
  const after = struck && (await recover(place, issue, struck));
  await ended.over;
  spoilt?.();
  await closePulls(place, issue);
  const seconds = (Date.now() - started) / 1000;
  const killed =
    struck && after ? { kill: { at: struck.at, kept: after.kept }, resumedAfter: await after.resumed } : {};
  return { caseNumber, issue, what, seconds, ...killed };
}

/** The end of the issue's run, as some process tells of it in its log. @throws Error when it takes too long */
function watchEnd(place: Place, issue: number) {
  const told = Promise.withResolvers<void>();
  const unlisten = place.fleet.listen((line) => {
    if (isOf(issue, line) && line['msg'] === 'run ended') told.resolve();
  });
  const over = Promise.race([told.promise, tooLate(issue)]).finally(unlisten);
  return { over };
}

const isOf = (issue: number, line: Record<string, unknown>): boolean => String(line['issue']).endsWith(`#${issue}`);

async function tooLate(issue: number): Promise<never> {
  await delay(RUN_MS, undefined, { ref: false });
  throw new Error(`the run on #${issue} did not end within ${RUN_MS / 1000} s`);
}

/**
 * What the dead process left behind, then its next start. A run goes on from when a worker is there that can take it: on
 * PostgreSQL there is one all the time, else from when the process is ready again.
 */
async function recover(place: Place, issue: number, { at, member }: Struck) {
  const { fleet } = place;
  const working = Promise.withResolvers<number>();
  const unlisten = fleet.listen((line) => {
    const works = ['stage-started', 'run-finished'].includes(String(line['type'])) || line['msg'] === 'run ended';
    if (isOf(issue, line) && works) working.resolve(Date.now());
  });
  const kept = (await readLedger(place.database)).find((run) => run.issue === issue);
  const since = place.kind === 'postgres' ? at : undefined;
  await fleet.start(member);
  const ready = since ?? Date.now();
  const resumed = working.promise.then((moment) => Math.max(0, moment - ready) / 1000).finally(unlisten);
  return { kept, resumed };
}

/** The first of them; the run may then go on with another one, after a pause. */
async function loseContainer(engine: Docker, place: Place, issue: number, wanted: string): Promise<() => void> {
  const runs = new Set<unknown>();
  const taken: string[] = [];
  const unlisten = place.fleet.listen((line) => {
    if (isOf(issue, line)) runs.add(line['run']);
  });
  const unwatch = await watchContainers(engine, ({ id, run, purpose }) => {
    if (taken.length > 0 || !runs.has(run) || purpose !== wanted) return;
    taken.push(id);
    engine
      .getContainer(id)
      .remove({ force: true })
      .catch(() => undefined);
  });
  return () => {
    unlisten();
    unwatch();
  };
}

async function judgeAll(place: Place, engine: Docker, finished: Finished[], missed: number): Promise<PartResult> {
  const ledger = await readLedger(place.database);
  const result = emptyResult();
  for (const one of finished) {
    const runs = ledger.filter((run) => run.issue === one.issue);
    const expected = one.what.kind === 'lost-container' ? 'told' : 'proposed';
    const verdict = judgeRun({ ...(await observe(place, one, runs)), expected });
    result.tally = addTallies(result.tally, verdict.tally);
    const containers = await containersOf(engine, runs);
    if (containers > 0) verdict.broken.push(`${containers} containers are left`);
    if ((one.resumedAfter ?? 0) > RESUMED_WITHIN_SECONDS) {
      verdict.broken.push(`it went on only after ${one.resumedAfter?.toFixed(1)} s`);
    }
    result.broken.push(...verdict.broken.map((words) => `${place.kind}, ${nameOf(one.what)}: ${words}`));
  }
  result.figures = figuresOf(place, finished, missed);
  return result;
}

async function containersOf(engine: Docker, runs: LedgerRun[]): Promise<number> {
  const lists = runs.map(({ id }) => engine.listContainers({ all: true, filters: { label: [`fathom.run=${id}`] } }));
  return (await Promise.all(lists)).flat().length;
}

function figuresOf({ kind, model }: Place, finished: Finished[], missed: number): Figure[] {
  const whole = finished.filter(({ what }) => what.kind === 'whole');
  const resumed = finished.flatMap(({ resumedAfter }) => (resumedAfter === undefined ? [] : [resumedAfter]));
  const figure = (name: string, unit: Figure['unit'], values: number[]) => ({ database: kind, name, unit, values });
  return [
    figure('full runs', '', [finished.length]),
    figure(
      'a run to which nothing happens',
      's',
      whole.map(({ seconds }) => seconds),
    ),
    figure('until a killed run goes on', 's', resumed),
    figure('kills that came too late and were dealt again', '', [missed]),
    figure('questions to the model', '', [model.calls.length]),
  ];
}
