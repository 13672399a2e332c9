import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import type { LogLine } from '../demo/start-fathom.ts';
import type { MemberName } from './fleet.ts';
import type { KillPoint } from './kill-points.ts';
import { type Place, REPOSITORY } from './place.ts';

/** A blow that has been dealt: when, and to whom. */
export interface Struck {
  at: number;
  member: MemberName;
}

/** Half of what a stage takes whose work asks nobody outside. */
const WITHIN_MS = 4;
/** What is said to be finished is kept by then. */
const KEPT_MS = 150;

/**
 * Kills the process that works on the case when its run reaches the point, as it is seen from outside: by a line of its
 * log, a question to the model, a container that starts, a request to GitHub.
 */
export async function killAt(place: Place, engine: Docker, caseNumber: number, point: KillPoint): Promise<Struck> {
  await using watching = new AsyncDisposableStack();
  const holder: { name?: MemberName; run?: string } = {};
  const dealt = Promise.withResolvers<Struck>();
  const strike = () => {
    if (holder.name === undefined) return;
    const member = holder.name;
    const at = Date.now();
    dealt.resolve(place.fleet.kill(member).then(() => ({ at, member })));
  };
  watching.defer(
    place.fleet.listen((line, from) => {
      if (line['msg'] === 'run taken up') Object.assign(holder, { name: from, run: line['run'] });
      if (holder.name === from) watchLog(point, line, strike);
    }),
  );
  watching.defer(watchModel(place, caseNumber, point, strike));
  if (point.moment === 'middle') watching.defer(await watchOutside(place, engine, point, holder, strike));
  return await dealt.promise;
}

function watchLog({ stage, moment }: KillPoint, line: LogLine, strike: () => void): void {
  const is = (type: string) => line['type'] === type && line['stage'] === stage;
  // The checkout is made before the rest of the first stage.
  const first = stage === 'prepare';
  if (moment === 'start' && (first ? line['type'] === 'run-started' : is('stage-started'))) strike();
  if (moment === 'middle' && first && is('stage-started')) strike();
  if (moment === 'middle' && stage === 'report' && is('stage-started')) setTimeout(strike, WITHIN_MS);
  if (moment === 'end' && is('stage-finished')) strike();
}

/** In the middle of `answer` one Answerer and the Localizer have finished, and the other one is at work. */
function watchModel(place: Place, caseNumber: number, { stage, moment }: KillPoint, strike: () => void): () => void {
  if (moment !== 'middle') return () => undefined;
  const finished = new Set<unknown>();
  const over = Promise.withResolvers<void>();
  const unlisten = place.fleet.listen((line) => {
    if (line['type'] === 'agent-finished') finished.add(line['agent']);
    if (stage === 'answer' && finished.has('answerer-Q1') && finished.has('localizer')) setTimeout(strike, KEPT_MS);
  });
  const unwatch = place.model.watch((call) => {
    if (call.caseNumber !== caseNumber) return undefined;
    if (stage === 'answer') return call.agent === 'answerer-Q2' && call.turn > 1 ? over.promise : undefined;
    const asked = { ask: 'questioner', audit: 'verifier', resolve: 'resolver' }[stage as string];
    if (call.agent === asked && (stage !== 'resolve' || call.turn > 1)) strike();
    return undefined;
  });
  return () => {
    over.resolve();
    unlisten();
    unwatch();
  };
}

const LOOK_MS = 1;

async function watchOutside(
  place: Place,
  engine: Docker,
  { stage }: KillPoint,
  holder: { run?: string },
  strike: () => void,
): Promise<() => void> {
  if (stage === 'propose') {
    const asked = `POST /repos/${REPOSITORY}/pulls`;
    let seen = place.front.requests.length;
    const timer = setInterval(() => {
      if (place.front.requests.slice(seen).includes(asked)) strike();
      seen = place.front.requests.length;
    }, LOOK_MS);
    return () => clearInterval(timer);
  }
  if (stage !== 'prove') return () => undefined;
  return watchContainers(engine, ({ run, purpose }) => {
    if (run === holder.run && purpose === 'prove-suite-base') strike();
  });
}

export interface StartedContainer {
  id: string;
  run: string;
  purpose: string;
}

/** Hears of each container of a run that starts. Gives the function that ends it. */
export async function watchContainers(
  engine: Docker,
  started: (container: StartedContainer) => void,
): Promise<() => void> {
  const filters = { type: ['container' as const], event: ['start'], label: ['fathom.run'] };
  const events = (await engine.getEvents({ filters })) as Readable;
  events.on('data', (chunk: Buffer) => {
    for (const text of chunk.toString().split('\n').filter(Boolean)) {
      const { Actor: actor } = JSON.parse(text) as { Actor: { ID: string; Attributes: Record<string, string> } };
      const { 'fathom.run': run = '', 'fathom.purpose': purpose = '' } = actor.Attributes;
      started({ id: actor.ID, run, purpose });
    }
  });
  events.on('error', () => undefined);
  return () => events.destroy();
}
