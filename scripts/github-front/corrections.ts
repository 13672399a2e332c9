import { compareAsDiff } from './compare-diff.ts';
import { type ApiAnswer, type ApiRequest, type FrontState, folderOf, jsonAnswer, jsonOf } from './front-state.ts';
import {
  brought,
  closeFixedIssues,
  type PullRequest,
  pullRequestFiles,
  pullRequestOf,
  refusePullRequest,
  refuseReviewer,
} from './pull-requests.ts';

type Before = (state: FrontState, request: ApiRequest, match: string[]) => Promise<ApiAnswer | undefined>;
type After = (state: FrontState, request: ApiRequest, answer: ApiAnswer, match: string[]) => Promise<ApiAnswer>;
interface Route<T> {
  method: string;
  path: RegExp;
  run: T;
}

const repository = '/repos/([^/]+/[^/]+)';
const route = <T>(method: string, path: string, run: T): Route<T> => ({ method, path: new RegExp(`^${path}$`), run });

/** Routes that the emulator lacks, and what GitHub refuses where the emulator does not. Undefined lets it answer. */
const before: Route<Before>[] = [
  route('POST', '(/repos/.+)/reactions', addReaction),
  route('GET', '(/repos/.+)/reactions', async (state, _request, [on]) =>
    jsonAnswer(
      200,
      state.reactions.filter((reaction) => reaction.on === on),
    ),
  ),
  route('POST', '/graphql', linkedBranches),
  route('DELETE', '/installation/token', async (state, request) => {
    state.tokens.delete(request.token);
    return jsonAnswer(204, undefined);
  }),
  route('GET', `${repository}/issues/(\\d+)(/.*)?`, goneIssue),
  route('POST', `${repository}/issues/(\\d+)(/.*)?`, goneIssue),
  route('GET', `${repository}/issues/(\\d+)`, pullRequestAsIssue),
  route('POST', `${repository}/pulls`, (state, request, [name = '']) => refusePullRequest(state, request, name)),
  route('GET', `${repository}/pulls/(\\d+)/files`, (state, _request, [name = '', number]) =>
    pullRequestFiles(state, name, Number(number)),
  ),
  route('POST', `${repository}/pulls/\\d+/requested_reviewers`, (state, request, [name = '']) =>
    refuseReviewer(state, request, name),
  ),
  route('GET', '/app/hook/deliveries', async (state) => jsonAnswer(200, deliveryList(state))),
  route('POST', '/app/hook/deliveries/(\\d+)/attempts', redeliver),
];

/** Answers of the emulator that differ from GitHub's, and what else has to happen after them. */
const after: Route<After>[] = [
  route('GET', `${repository}/contents/.+`, rawContentType),
  route('POST', '/app/installations/\\d+/access_tokens', rememberToken),
  route('GET', `${repository}/collaborators/([^/]+)/permission`, permissionNames),
  route('GET', `${repository}/compare/(.+)`, compareAsDiff),
  route('GET', `${repository}/pulls/\\d+`, onePullRequest),
  route('GET', `${repository}/pulls`, allPullRequests),
  route('POST', `${repository}/git/refs`, async (state, _request, answer, [name = '']) => {
    if (answer.status < 300) await syncBranch(state, name, jsonOf<{ ref: string }>(answer.body).ref);
    return answer;
  }),
  route('PATCH', `${repository}/git/refs/(heads/.+)`, branchMoved),
  route('DELETE', `${repository}/git/refs/(heads/.+)`, branchMoved),
  route('PUT', `${repository}/pulls/(\\d+)/merge`, merged),
  route('PUT', `${repository}/contents/.+`, contentsWritten),
  route('DELETE', `${repository}/contents/.+`, contentsWritten),
];

export async function answerInstead(state: FrontState, request: ApiRequest): Promise<ApiAnswer | undefined> {
  for (const { method, path, run } of before) {
    const match = method === request.method ? path.exec(request.path) : null;
    const answer = match === null ? undefined : await run(state, request, match.slice(1));
    if (answer !== undefined) return answer;
  }
  return undefined;
}

export async function correct(state: FrontState, request: ApiRequest, answer: ApiAnswer): Promise<ApiAnswer> {
  let corrected = answer;
  for (const { method, path, run } of after) {
    const match = method === request.method ? path.exec(request.path) : null;
    if (match !== null) corrected = await run(state, request, corrected, match.slice(1));
  }
  return corrected;
}

async function addReaction(state: FrontState, request: ApiRequest, [on = '']: string[]): Promise<ApiAnswer> {
  const by = state.tokens.get(request.token)?.login ?? `${state.slug}[bot]`;
  const { content } = jsonOf<{ content: string }>(request.body);
  const there = state.reactions.find((entry) => entry.on === on && entry.content === content && entry.by === by);
  const reaction = there ?? { id: state.reactions.length + 1, on, content, by };
  if (there === undefined) state.reactions.push(reaction);
  return jsonAnswer(there === undefined ? 201 : 200, reaction);
}

/** The one query that is asked: branches that are linked to an issue. */
async function linkedBranches(state: FrontState, request: ApiRequest): Promise<ApiAnswer> {
  const { variables } = jsonOf<{ variables: { owner: string; repo: string; number: number } }>(request.body);
  const names = state.linked.get(`${variables.owner}/${variables.repo}#${variables.number}`) ?? [];
  const nodes = names.map((name) => ({ ref: { name } }));
  const issue = { linkedBranches: { nodes }, closedByPullRequestsReferences: { nodes: [] } };
  return jsonAnswer(200, { data: { repository: { issue } } });
}

async function goneIssue(state: FrontState, _request: ApiRequest, [name, number]: string[]) {
  const gone = state.gone.get(`${name}#${number}`);
  if (gone === undefined) return undefined;
  if (gone.movedTo === undefined) return jsonAnswer(410, { message: 'This issue was deleted' });
  const answer = jsonAnswer(301, { message: 'Moved Permanently', url: gone.movedTo });
  return { ...answer, headers: { ...answer.headers, location: gone.movedTo } };
}

async function pullRequestAsIssue(state: FrontState, _request: ApiRequest, [name = '', number]: string[]) {
  const pull = await pullRequestOf(state, name, Number(number));
  if (pull === undefined) return undefined;
  const labels = await state.client.call<unknown[]>('GET', `/repos/${name}/issues/${number}/labels`);
  return jsonAnswer(200, { ...pull, labels: labels.data, pull_request: { url: pull.url, html_url: pull.html_url } });
}

const deliveryList = (state: FrontState): unknown[] =>
  state.deliveries.log
    .map((entry, index) => ({
      id: index + 1,
      guid: entry.id,
      delivered_at: entry.deliveredAt,
      redelivery: entry.statuses.length > 1,
      status_code: entry.statuses.at(-1) ?? 0,
      event: entry.event,
      action: entry.action ?? null,
      installation_id: state.installationId,
    }))
    .reverse();

async function redeliver(state: FrontState, _request: ApiRequest, [id]: string[]): Promise<ApiAnswer> {
  const delivery = state.deliveries.log[Number(id) - 1];
  if (delivery === undefined) return jsonAnswer(404, { message: 'Not Found' });
  await state.deliveries.redeliver(delivery.id);
  return jsonAnswer(202, {});
}

async function rawContentType(_state: FrontState, request: ApiRequest, answer: ApiAnswer): Promise<ApiAnswer> {
  if (!/\braw\b/.test(request.headers['accept'] ?? '') || answer.status !== 200) return answer;
  return { ...answer, headers: { ...answer.headers, 'content-type': 'application/vnd.github.v3.raw; charset=utf-8' } };
}

async function rememberToken(state: FrontState, _request: ApiRequest, answer: ApiAnswer): Promise<ApiAnswer> {
  if (answer.status !== 201) return answer;
  interface Minted {
    token: string;
    expires_at: string;
    permissions: Record<string, string>;
    repositories?: { full_name: string }[];
  }
  const minted = jsonOf<Minted>(answer.body);
  const contents = minted.permissions['contents'];
  state.tokens.set(minted.token, {
    expiresAt: Date.parse(minted.expires_at),
    contents: contents === 'write' || contents === 'read' ? contents : 'none',
    ...(minted.repositories && { repositories: minted.repositories.map((entry) => entry.full_name) }),
  });
  return answer;
}

const githubName: Record<string, string> = { push: 'write', maintain: 'write', pull: 'read', triage: 'read' };

async function permissionNames(state: FrontState, _request: ApiRequest, answer: ApiAnswer, [name, login]: string[]) {
  if (answer.status === 200) {
    const granted = jsonOf<{ permission: string }>(answer.body);
    return jsonAnswer(200, { ...granted, permission: githubName[granted.permission] ?? granted.permission });
  }
  const user = await state.client.call('GET', `/users/${login}`);
  if (answer.status !== 404 || user.status !== 200) return answer;
  const about = await state.client.need<{ private: boolean }>('GET', `/repos/${name}`);
  const permission = about.private ? 'none' : 'read';
  return jsonAnswer(200, { permission, role_name: permission, user: user.data });
}

async function onePullRequest(state: FrontState, _request: ApiRequest, answer: ApiAnswer, [name = '']: string[]) {
  if (answer.status !== 200) return answer;
  return jsonAnswer(200, await brought(state, name, jsonOf<PullRequest>(answer.body)));
}

async function allPullRequests(state: FrontState, _request: ApiRequest, answer: ApiAnswer, [name = '']: string[]) {
  if (answer.status !== 200) return answer;
  const pulls = jsonOf<PullRequest[]>(answer.body);
  const now = await Promise.all(pulls.map((pull) => brought(state, name, pull)));
  return { ...answer, body: Buffer.from(JSON.stringify(now)) };
}

async function branchMoved(
  state: FrontState,
  _request: ApiRequest,
  answer: ApiAnswer,
  [name = '', ref = '']: string[],
) {
  if (answer.status < 300) await syncBranch(state, name, `refs/${ref}`);
  return answer;
}

async function merged(state: FrontState, _request: ApiRequest, answer: ApiAnswer, [name = '', number]: string[]) {
  if (answer.status !== 200) return answer;
  const pull = await pullRequestOf(state, name, Number(number));
  if (pull !== undefined) await syncBranch(state, name, `refs/heads/${pull.base.ref}`);
  await closeFixedIssues(state, name, Number(number));
  return answer;
}

async function contentsWritten(state: FrontState, request: ApiRequest, answer: ApiAnswer, [name = '']: string[]) {
  if (answer.status >= 300) return answer;
  const about = await state.client.need<{ default_branch: string }>('GET', `/repos/${name}`);
  const { branch = about.default_branch } = jsonOf<{ branch?: string }>(request.body);
  await syncBranch(state, name, `refs/heads/${branch}`);
  return answer;
}

async function syncBranch(state: FrontState, fullName: string, ref: string): Promise<void> {
  if (!ref.startsWith('refs/heads/')) return;
  await state.bridge.toFolder(fullName, folderOf(state, fullName), ref.slice('refs/heads/'.length));
}
