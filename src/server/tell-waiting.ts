import type { Clock } from '../domain/ports/clock.ts';
import type { Forge } from '../domain/ports/forge.ts';
import { progressMarker, resultMarker } from '../github/publisher.ts';
import type { Database } from '../jobs/database.ts';
import { findEntry, labelOf } from '../jobs/inbox-entries.ts';
import { findIssue } from '../jobs/issues.ts';
import { mayAsk, refusalOfState } from '../jobs/refusals.ts';
import { findRun } from '../jobs/runs.ts';
import { firstShown, movedUp, type ShownPosition, shownPositions, waitsNoLonger } from '../jobs/shown-positions.ts';
import { stoppedBy } from '../jobs/stops.ts';
import { activeIssues, type WaitingIssue, waitingIssues } from '../jobs/waiting.ts';
import type { JobsLog, WorkerPorts } from '../jobs/worker-ports.ts';
import { renderStopped } from '../report/render-ends.ts';
import { renderWaiting } from '../report/render-progress.ts';

export interface WaitingSources {
  database: Database;
  forge: Pick<Forge, 'permission' | 'issueState' | 'comment'>;
  permission: WorkerPorts['permission'];
  clock: Pick<Clock, 'now'>;
  log: JobsLog;
}

/** How often positions are looked at; GitHub's limits allow one edit of a comment in about as long. */
export const LOOK_SECONDS = 20;
/** Whoever is soon taken up needs no comment that says that it waits. */
const PATIENCE_SECONDS = 10;
/** GitHub lets an App write about 500 comments and edits an hour, and runs need most of them. */
const WRITES = 2;
const NEW_ONES = 5;
const MOST = 1000;

type Waits = Required<WaitingIssue>;

/**
 * One look at the queue: an issue that waits is told its position, and again when that has become notably smaller; at
 * most two comments are written, those whose turn comes first. Says how many were.
 */
export async function tellWaiting(sources: WaitingSources): Promise<number> {
  const shown = await shownPositions(sources.database);
  const waiting = (await waitingIssues(sources.database, MOST)).filter(
    (one): one is Waits => one.request !== undefined,
  );
  const over = await noLongerWaiting(sources, shown, waiting);
  let writes = 0;
  for (const work of [...over, ...telling(sources, shown, waiting)]) {
    if (writes >= WRITES) break;
    if (await work()) writes += 1;
  }
  return writes;
}

type Work = () => Promise<boolean>;

async function noLongerWaiting(sources: WaitingSources, shown: ShownPosition[], waiting: Waits[]): Promise<Work[]> {
  const active = await activeIssues(sources.database);
  const still = new Map(waiting.map((one) => [one.issue.key, one.run]));
  return shown
    .filter(({ issue, run }) => !active.has(issue) && still.get(issue) !== run)
    .map((one) => guarded(sources, one.issue, () => settle(sources, one)));
}

function telling(sources: WaitingSources, shown: ShownPosition[], waiting: Waits[]): Work[] {
  const known = new Map(shown.map((one) => [one.issue, one]));
  const fresh = waiting.filter((one) => !known.has(one.issue.key) && isLong(sources, one)).slice(0, NEW_ONES);
  return waiting.flatMap((one) => {
    const before = known.get(one.issue.key);
    if (before === undefined && !fresh.includes(one)) return [];
    const tell = () => (before === undefined ? begin(sources, one) : goOn(sources, one, before));
    return [guarded(sources, one.issue.key, tell)];
  });
}

const secondsSince = ({ clock }: WaitingSources, at: Date): number => (clock.now().getTime() - at.getTime()) / 1000;
const isLong = (sources: WaitingSources, { since }: Waits): boolean => secondsSince(sources, since) >= PATIENCE_SECONDS;

/** Some issue that cannot be told must not keep the others from it. */
function guarded({ log }: WaitingSources, issue: string, work: Work): Work {
  return async () => {
    try {
      return await work();
    } catch (err) {
      log.warn({ issue, err }, 'position in the queue not told');
      return true;
    }
  };
}

/** Nobody can make the App write by asking for what they may not. */
async function begin(sources: WaitingSources, { issue, position, request, run }: Waits): Promise<boolean> {
  const { database, forge } = sources;
  const label = labelOf(request);
  if ((await stoppedBy(database, { issue: issue.key, since: request.id, label })) !== undefined) return false;
  const may =
    (await mayAsk(sources, issue, request.entry.actor.login)) &&
    refusalOfState(await forge.issueState(issue), label) === undefined;
  const shown = {
    issue: issue.key,
    entryId: request.id,
    run,
    position: may ? position : undefined,
    shownAt: sources.clock.now(),
  };
  if (!(await firstShown(database, shown)) || !may) return false;
  await forge.comment(issue, progressMarker(run), renderWaiting(position));
  return true;
}

async function goOn(sources: WaitingSources, one: Waits, shown: ShownPosition): Promise<boolean> {
  const { issue, position, request, run } = one;
  if (shown.run !== run) return false;
  const { database, forge } = sources;
  const stopped = await stoppedBy(database, { issue: issue.key, since: request.id, label: labelOf(request) });
  if (stopped !== undefined) return settle(sources, shown);
  const due = secondsSince(sources, shown.shownAt) >= LOOK_SECONDS && isNotable(shown.position, position);
  if (!due || !(await movedUp(database, shown, position, sources.clock.now()))) return false;
  await forge.comment(issue, progressMarker(run), renderWaiting(position));
  return true;
}

/** Half of what was shown, or among the next three. */
const isNotable = (shown: number | undefined, now: number): boolean =>
  shown !== undefined && now < shown && (now <= shown / 2 || now <= 3);

/** The run that began shows what there is now; where none did, the comment says who stopped it, or goes. */
async function settle({ database, forge }: WaitingSources, shown: ShownPosition): Promise<boolean> {
  const { run, position } = shown;
  const issue = await findIssue(database, shown.issue);
  if (!(await waitsNoLonger(database, shown)) || position === undefined || issue === undefined) return false;
  if ((await findRun(database, run)) !== undefined) return false;
  const entry = await findEntry(database, shown.entryId);
  const label = entry?.kind === 'labeled' ? entry.label : undefined;
  const by = await stoppedBy(database, { issue: shown.issue, since: shown.entryId, label });
  if (by !== undefined) await forge.comment(issue, resultMarker(run), renderStopped({ by }));
  await forge.comment(issue, progressMarker(run), undefined);
  return true;
}
