import { ForgeError, type ForgeFailure } from '../domain/errors.ts';
import type { IssueState, Permission } from '../domain/ports/forge.ts';
import { exhaustedMonth } from './database-budget.ts';
import { isByBot, type Request, type WaitingRequest } from './inbox-entries.ts';
import type { KnownIssue } from './issues.ts';
import type { Refusal, WorkerPorts } from './worker-ports.ts';

const enough: Record<WorkerPorts['permission'], readonly Permission[]> = {
  write: ['admin', 'maintain', 'write'],
  triage: ['admin', 'maintain', 'write', 'triage'],
};

interface PermissionPorts extends Pick<WorkerPorts, 'permission'> {
  forge: Pick<WorkerPorts['forge'], 'permission'>;
}

/** True when the code host says that this person may ask for it. @throws ForgeError, so that a failure lets nobody in. */
export async function mayAsk(ports: PermissionPorts, issue: KnownIssue, login: string): Promise<boolean> {
  return enough[ports.permission].includes(await ports.forge.permission(issue, login));
}

/** Asks once for each person. */
export async function withPermission(
  ports: WorkerPorts,
  issue: KnownIssue,
  waiting: WaitingRequest[],
): Promise<{ allowed: WaitingRequest[]; refused: WaitingRequest[] }> {
  const logins = new Set(waiting.map(({ entry }) => entry.actor.login));
  const may = new Map<string, boolean>();
  for (const login of logins) may.set(login, await mayAsk(ports, issue, login));
  const isAllowed = ({ entry }: WaitingRequest) => may.get(entry.actor.login) === true;
  return { allowed: waiting.filter(isAllowed), refused: waiting.filter((request) => !isAllowed(request)) };
}

/** Why nothing is to be started on an issue that stands like this. */
export function refusalOfState(state: IssueState | undefined, label: string | undefined): Refusal | undefined {
  if (state === undefined) return { kind: 'issue', state: 'gone' };
  if (state.isPullRequest) return { kind: 'issue', state: 'pull-request' };
  if (!state.open) return { kind: 'issue', state: 'closed' };
  if (state.locked) return { kind: 'issue', state: 'locked' };
  const labels = state.labels.map((name) => name.toLowerCase());
  if (label !== undefined && !labels.includes(label.toLowerCase())) return { kind: 'issue', state: 'label-gone' };
  return undefined;
}

/**
 * A label starts no repair beside somebody's work: an open pull request for the issue, a branch linked to it, or a person
 * it is assigned to, other than who put the label on. A command does, since whoever gives it knows.
 */
export async function refusalOfWork(
  ports: WorkerPorts,
  issue: KnownIssue,
  { entry }: WaitingRequest,
): Promise<Refusal | undefined> {
  if (entry.kind === 'command' || entry.mode !== 'resolve') return undefined;
  const work = await ports.forge.openWork(issue);
  const assignees = work.assignees.filter((login) => login !== entry.actor.login);
  if (assignees.length + work.pullRequests.length + work.branches.length === 0) return undefined;
  return { kind: 'at-work', work: { ...work, assignees } };
}

/** Runs that failed one after the other within this time keep labels from starting more. */
const FAILURES = 5;
const FAILURE_HOURS = 6;

/** A month's budget that is used up, or a row of failures on the repository. */
export async function refusalOfRepository(
  ports: WorkerPorts,
  issue: KnownIssue,
  entry: Request,
): Promise<Refusal | undefined> {
  const { database, months, clock } = ports;
  if (ports.mayBeSent?.(issue) === false) return { kind: 'provider' };
  const spent = await exhaustedMonth(database, issue, months, clock.now());
  if (spent && (spent.budget === 'repository' || spent.budget === 'installation')) {
    return { kind: 'budget', budget: spent.budget, resetsAt: spent.resetsAt ?? '' };
  }
  if (isByBot(entry)) return refusalOfBots(ports, issue);
  if (entry.kind === 'command') return undefined;
  const rows = await database.query<{ end_kind: string }>(
    `SELECT r.end_kind FROM fathom.run r JOIN fathom.issue i ON i.key = r.issue_key
     WHERE i.repository_id = $1 AND r.state = 'ended' AND r.ended_at > now() - make_interval(hours => $2)
     ORDER BY r.ended_at DESC LIMIT $3`,
    [issue.repositoryId, FAILURE_HOURS, FAILURES],
  );
  const broken = rows.length === FAILURES && rows.every((row) => row.end_kind === 'failed');
  return broken ? { kind: 'failures', inARow: FAILURES } : undefined;
}

/** Bots may answer each other without end: what they may start within a day, on one issue and on one repository. */
const BOT_RUNS = { issue: 3, repository: 20 };
const BOT_HOURS = 24;

async function refusalOfBots({ database }: WorkerPorts, issue: KnownIssue): Promise<Refusal | undefined> {
  const [row] = await database.query<Record<'issue' | 'repository', string | number>>(
    `SELECT count(*) FILTER (WHERE r.issue_key = $1) AS issue, count(*) AS repository
     FROM fathom.run r JOIN fathom.issue i ON i.key = r.issue_key
     WHERE i.repository_id = $2 AND r.actor LIKE '%[bot]' AND r.created_at > now() - make_interval(hours => $3)`,
    [issue.key, issue.repositoryId, BOT_HOURS],
  );
  const where = (['issue', 'repository'] as const).find((one) => Number(row?.[one] ?? 0) >= BOT_RUNS[one]);
  return where && { kind: 'bots', where, runs: BOT_RUNS[where], hours: BOT_HOURS };
}

const final: Partial<Record<ForgeFailure, Refusal>> = {
  'not-found': { kind: 'issue', state: 'gone' },
  gone: { kind: 'issue', state: 'gone' },
  'not-installed': { kind: 'issue', state: 'gone' },
  forbidden: { kind: 'forbidden' },
};

/** What no later attempt would change; undefined for everything that may pass. */
export function refusalOfForge(error: unknown): Refusal | undefined {
  return error instanceof ForgeError ? final[error.failure] : undefined;
}
