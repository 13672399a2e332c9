import type { Trigger } from '../domain/issue-snapshot.ts';
import type { IssueState } from '../domain/ports/forge.ts';
import type { Run } from '../domain/run.ts';
import { correctedKnowledge, takeCorrections } from './corrections.ts';
import {
  chosenOf,
  isCorrection,
  labelOf,
  modeOf,
  settleEntries,
  type WaitingRequest,
  waitingRequests,
} from './inbox-entries.ts';
import { findIssue, type KnownIssue } from './issues.ts';
import { refusalOfForge, refusalOfRepository, refusalOfState, refusalOfWork, withPermission } from './refusals.ts';
import { createRun, findRun, lastRun, modeOfLast, type RunRecord, runIdOf, withRun } from './runs.ts';
import { stoppedBy } from './stops.ts';
import type { Refusal, WorkerPorts } from './worker-ports.ts';

/**
 * Makes a run of what waits on the issue: the newest request of the widest mode, by somebody who may ask for it. What
 * waits beside it is answered by the same run. Undefined where nothing is to be done.
 * @throws ForgeError when the code host cannot be asked now; then the job is tried again later.
 */
export async function startRun(ports: WorkerPorts, key: string): Promise<RunRecord | undefined> {
  const { database } = ports;
  const issue = await findIssue(database, key);
  const all = await waitingRequests(database, key);
  if (issue === undefined) return undefined;
  try {
    await noteCorrections(ports, issue, all.filter(isCorrection));
    const waiting = await withoutStopped(
      ports,
      key,
      all.filter((request) => !isCorrection(request)),
    );
    return waiting.length === 0 ? undefined : await choose(ports, issue, waiting);
  } catch (error) {
    const refusal = refusalOfForge(error);
    if (refusal === undefined) throw error;
    ports.log.error({ issue: key, err: error }, 'the code host refused for good');
    await refuse(ports, issue, all, refusal);
    return undefined;
  }
}

/** They are for the last run, and come before whatever asks for the next one. */
async function noteCorrections(ports: WorkerPorts, issue: KnownIssue, requests: WaitingRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const { allowed, refused } = await withPermission(ports, issue, requests);
  await refuse(ports, issue, refused, { kind: 'permission', needed: ports.permission });
  const { taken, refused: unclear } = await takeCorrections(ports, issue, allowed);
  for (const { request, refusal } of unclear) await refuse(ports, issue, [request], refusal);
  for (const { entry } of taken) {
    if (entry.kind !== 'command') continue;
    await ports.forge.react(issue, '+1', entry.comment.id).catch((err: unknown) => {
      ports.log.warn({ issue: issue.key, err }, 'no reaction to a correction');
    });
  }
}

async function withoutStopped(ports: WorkerPorts, issue: string, waiting: WaitingRequest[]): Promise<WaitingRequest[]> {
  const left: WaitingRequest[] = [];
  for (const request of waiting) {
    const by = await stoppedBy(ports.database, { issue, since: request.id, label: labelOf(request) });
    if (by === undefined) left.push(request);
    else await settleEntries(ports.database, [request.id], `stopped by ${by}`);
  }
  return left;
}

async function choose(
  ports: WorkerPorts,
  issue: KnownIssue,
  waiting: WaitingRequest[],
): Promise<RunRecord | undefined> {
  const { allowed, refused } = await withPermission(ports, issue, waiting);
  await refuse(ports, issue, refused, { kind: 'permission', needed: ports.permission });
  const state = await currentState(ports, issue, allowed);
  const stands = allowed.filter((request) => refusalOfState(state, labelOf(request)) === undefined);
  for (const request of allowed.filter((one) => !stands.includes(one))) {
    const refusal = refusalOfState(state, labelOf(request));
    if (refusal) await refuse(ports, issue, [request], refusal);
  }
  for (const request of [...stands]) {
    const refusal = await refusalOfWork(ports, issue, request);
    if (refusal === undefined) continue;
    stands.splice(stands.indexOf(request), 1);
    await refuse(ports, issue, [request], refusal);
  }
  const before = await lastRun(ports.database, issue.key);
  const last = modeOfLast(before);
  const chosen = chosenOf(stands, last);
  if (chosen === undefined) return undefined;
  const refusal = await refusalOfRepository(ports, issue, chosen.entry);
  if (refusal) {
    await refuse(ports, issue, stands, refusal);
    return undefined;
  }
  const others = stands.filter((request) => request !== chosen).map((request) => request.id);
  const mode = modeOf(chosen.entry, last);
  const knowledge = await correctedKnowledge(ports, before, mode);
  const run = { ...(await makeRun(ports, issue, chosen, mode)), ...(knowledge === undefined ? {} : { knowledge }) };
  return keep(ports, issue, chosen, others, run);
}

/** GitHub may still answer without a label that it has just told of, so one that is missing is looked for twice. */
async function currentState(
  ports: WorkerPorts,
  issue: KnownIssue,
  requests: WaitingRequest[],
): Promise<IssueState | undefined> {
  const state = await ports.forge.issueState(issue);
  const missing = requests.some((request) => {
    const refusal = refusalOfState(state, labelOf(request));
    return refusal?.kind === 'issue' && refusal.state === 'label-gone';
  });
  if (!missing) return state;
  await ports.clock.sleep(SECOND_LOOK_MS, new AbortController().signal);
  return ports.forge.issueState(issue);
}

const SECOND_LOOK_MS = 3000;

async function keep(
  ports: WorkerPorts,
  issue: KnownIssue,
  chosen: WaitingRequest,
  others: string[],
  run: Run,
): Promise<RunRecord | undefined> {
  const label = labelOf(chosen);
  await ports.database.transaction(async (sql) => {
    await createRun(sql, { entryId: chosen.id, issue: issue.key, run, ...(label === undefined ? {} : { label }) });
    await settleEntries(sql, [chosen.id], `run ${run.id}`);
    await settleEntries(sql, others, withRun(run));
  });
  return findRun(ports.database, run.id);
}

async function makeRun(
  ports: WorkerPorts,
  issue: KnownIssue,
  { entry }: WaitingRequest,
  mode: Run['mode'],
): Promise<Run> {
  const trigger = await triggerOf(ports, issue, entry);
  const { title, body } = entry.issue;
  return {
    id: runIdOf(entry.eventKey),
    mode,
    repository: { kind: 'remote', owner: issue.owner, name: issue.repo, url: entry.repository.cloneUrl },
    snapshot: await ports.forge.snapshot(issue, trigger, { title, body }),
    settings: ports.settings,
    startedAt: ports.clock.now().toISOString(),
  };
}

async function triggerOf(ports: WorkerPorts, issue: KnownIssue, entry: WaitingRequest['entry']): Promise<Trigger> {
  const actor = entry.actor.login;
  if (entry.kind === 'command') {
    return { kind: 'command', actor, eventId: String(entry.comment.id), at: entry.comment.createdAt };
  }
  const event = await ports.forge.labelEvent(issue, { label: entry.label, actor, until: entry.receivedAt });
  return event === undefined
    ? { kind: 'label', actor, at: entry.receivedAt }
    : { kind: 'label', actor, eventId: event.id, at: event.at };
}

async function refuse(
  ports: WorkerPorts,
  issue: KnownIssue,
  requests: WaitingRequest[],
  refusal: Refusal,
): Promise<void> {
  for (const { id, entry } of requests) {
    await settleEntries(ports.database, [id], `refused: ${refusal.kind}`);
    ports.log.info({ issue: issue.key, entry: id, actor: entry.actor.login, refusal }, 'request refused');
  }
  for (const { entry } of newestOfEach(requests)) {
    const comment = entry.kind === 'command' ? { commentId: entry.comment.id } : {};
    await ports.refused({ issue, actor: entry.actor, refusal, ...comment });
  }
}

/** Whoever asks a hundred times is told once: the App may write only so much in an hour. */
function newestOfEach(requests: WaitingRequest[]): WaitingRequest[] {
  const whose = ({ entry }: WaitingRequest) => `${entry.kind} ${entry.actor.id} ${entry.actor.login}`;
  return requests.filter((request, n) => requests.findLastIndex((other) => whose(other) === whose(request)) === n);
}
