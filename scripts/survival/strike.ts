import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { REPOSITORY } from '../leap-front.ts';
import type { MemberName } from './fleet.ts';
import type { Hold } from './hold.ts';
import type { KillPoint } from './kill-points.ts';
import type { Place } from './place.ts';

/** A blow that has been dealt: when, and to whom. */
export interface Struck {
  at: number;
  member: MemberName;
}

/** Within a stage that asks nobody outside, after some of its questions to the database. */
const WITHIN_TURNS = 150;
/** What is said to be finished is kept by then, and who is to hold still does. */
const SURELY_MS = 150;

/** One run, and the moment at which its process is to be killed. */
export interface Target {
  caseNumber: number;
  issue: number;
  point: KillPoint;
}

interface Holder {
  name?: MemberName;
  run?: string;
}

/**
 * Kills the process that works on the run when it reaches the point, as it is seen from outside: by a line of its log,
 * after which it holds still, a question to the model, a container that starts, a request to GitHub.
 */
export async function killAt(place: Place, engine: Docker, target: Target): Promise<Struck> {
  await using watching = new AsyncDisposableStack();
  const { point } = target;
  const holder: Holder = {};
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
    }),
  );
  const hold = holdOf(target);
  if (hold !== undefined) watching.defer(watchLine(place, hold, strike));
  else if (point.stage === 'propose') watching.defer(watchRequests(place, strike));
  else if (point.stage === 'prove') watching.defer(await watchProof(engine, holder, strike));
  else watching.defer(watchModel(place, target, strike));
  return await dealt.promise;
}

/** The line of the log that says that the point is reached, where there is one. */
function holdOf({ issue, point: { stage, moment } }: Target): Hold | undefined {
  const line = (type: string, turns = 0): Hold => ({ issue: `#${issue}`, line: { type, stage }, turns });
  if (moment === 'end') return line('stage-finished');
  // The checkout is made before the rest of the first stage.
  if (stage === 'prepare') {
    return moment === 'middle' ? line('stage-started') : { ...line(''), line: { type: 'run-started' } };
  }
  if (moment === 'start') return line('stage-started');
  return stage === 'report' ? line('stage-started', WITHIN_TURNS) : undefined;
}

function watchLine({ fleet }: Place, hold: Hold, strike: () => void): () => void {
  const unask = fleet.hold(hold);
  const unlisten = fleet.listen((line) => {
    const isIt = Object.entries(hold.line).every(([name, value]) => line[name] === value);
    if (!isIt || !String(line['issue']).endsWith(hold.issue)) return;
    if (hold.turns === 0) strike();
    else setTimeout(strike, SURELY_MS);
  });
  return () => {
    unask();
    unlisten();
  };
}

/** In the middle of `answer` one Answerer and the Localizer have finished, and the other one is at work. */
function watchModel(place: Place, { caseNumber, point: { stage } }: Target, strike: () => void): () => void {
  const finished = new Set<unknown>();
  const over = Promise.withResolvers<void>();
  const unlisten = place.fleet.listen((line) => {
    if (line['type'] === 'agent-finished') finished.add(line['agent']);
    if (stage === 'answer' && finished.has('answerer-Q1') && finished.has('localizer')) setTimeout(strike, SURELY_MS);
  });
  const asked: Partial<Record<string, string>> = { ask: 'questioner', audit: 'verifier', resolve: 'resolver' };
  const unwatch = place.model.watch((call) => {
    if (call.caseNumber !== caseNumber) return undefined;
    if (stage === 'answer') return call.agent === 'answerer-Q2' && call.turn > 1 ? over.promise : undefined;
    if (call.agent === asked[stage] && (stage !== 'resolve' || call.turn > 1)) strike();
    return undefined;
  });
  return () => {
    over.resolve();
    unlisten();
    unwatch();
  };
}

const LOOK_MS = 1;

/** The branch is there, and the pull request has just been asked for. */
function watchRequests({ front }: Place, strike: () => void): () => void {
  const asked = `POST /repos/${REPOSITORY}/pulls`;
  let seen = front.requests.length;
  const timer = setInterval(() => {
    if (front.requests.slice(seen).includes(asked)) strike();
    seen = front.requests.length;
  }, LOOK_MS);
  return () => clearInterval(timer);
}

const watchProof = (engine: Docker, holder: Holder, strike: () => void): Promise<() => void> =>
  watchContainers(engine, ({ run, purpose }) => {
    if (run === holder.run && purpose === 'prove-suite-base') strike();
  });

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
