import {
  type ApiAnswer,
  type ApiRequest,
  type FrontState,
  jsonAnswer,
  jsonOf,
  validationFailed,
} from './front-state.ts';

export interface PullRequest {
  number: number;
  state: string;
  title: string;
  body: string | null;
  draft: boolean;
  html_url: string;
  url: string;
  diff_url?: string;
  patch_url?: string;
  merged_at?: string | null;
  labels?: unknown[];
  head: { ref: string; sha: string };
  base: { ref: string };
  commits?: number;
  changed_files?: number;
  additions?: number;
  deletions?: number;
}
interface Comparison {
  ahead_by: number;
  files: { additions?: number; deletions?: number }[];
}

export async function pullRequestOf(
  state: FrontState,
  fullName: string,
  number: number,
): Promise<PullRequest | undefined> {
  const answer = await state.client.call<PullRequest>('GET', `/repos/${fullName}/pulls/${number}`);
  return answer.status === 200 ? brought(state, fullName, answer.data) : undefined;
}

/** The pull request as it is now: the emulator keeps the head and the counts of the moment when it was opened. */
export async function brought(state: FrontState, fullName: string, pull: PullRequest): Promise<PullRequest> {
  const ref = await state.client.call<{ object: { sha: string } }>(
    'GET',
    `/repos/${fullName}/git/ref/heads/${pull.head.ref}`,
  );
  if (pull.state === 'open' && ref.status === 200) pull.head.sha = ref.data.object.sha;
  const compared = await compare(state, fullName, pull.base.ref, pull.head.sha);
  if (compared === undefined) return pull;
  const sum = (key: 'additions' | 'deletions') => compared.files.reduce((all, file) => all + (file[key] ?? 0), 0);
  const counts = { additions: sum('additions'), deletions: sum('deletions') };
  return { ...pull, ...counts, commits: compared.ahead_by, changed_files: compared.files.length };
}

async function compare(
  state: FrontState,
  fullName: string,
  base: string,
  head: string,
): Promise<Comparison | undefined> {
  const answer = await state.client.call<Comparison>('GET', `/repos/${fullName}/compare/${base}...${head}`);
  return answer.status === 200 ? answer.data : undefined;
}

/** What GitHub refuses before it opens a pull request, where the emulator opens it all the same. */
export async function refusePullRequest(
  state: FrontState,
  request: ApiRequest,
  fullName: string,
): Promise<ApiAnswer | undefined> {
  const asked = jsonOf<{ head?: string; base?: string; draft?: boolean }>(request.body);
  const owner = fullName.split('/')[0] ?? '';
  const head = (asked.head ?? '').replace(`${owner}:`, '');
  const ref = await state.client.call('GET', `/repos/${fullName}/git/ref/heads/${head}`);
  if (ref.status !== 200) return validationFailed('PullRequest', 'head', 'head is invalid');
  const query = `state=open&head=${owner}:${head}&base=${asked.base ?? ''}`;
  const open = await state.client.call<PullRequest[]>('GET', `/repos/${fullName}/pulls?${query}`);
  if (open.data.length > 0) return validationFailed('PullRequest', 'head', 'A pull request already exists.');
  if (asked.draft === true && state.withoutDrafts.has(fullName)) {
    return validationFailed('PullRequest', 'draft', 'Draft pull requests are not supported in this repository.');
  }
  const compared = await compare(state, fullName, asked.base ?? '', head);
  if (compared?.ahead_by === 0) return validationFailed('PullRequest', 'head', 'No commits between base and head');
  return undefined;
}

export async function pullRequestFiles(state: FrontState, fullName: string, number: number): Promise<ApiAnswer> {
  const pull = await pullRequestOf(state, fullName, number);
  if (pull === undefined) return jsonAnswer(404, { message: 'Not Found' });
  const compared = await compare(state, fullName, pull.base.ref, pull.head.sha);
  return jsonAnswer(200, compared?.files ?? []);
}

/** GitHub asks nobody for a review who could not read the repository. */
export async function refuseReviewer(
  state: FrontState,
  request: ApiRequest,
  fullName: string,
): Promise<ApiAnswer | undefined> {
  for (const reviewer of jsonOf<{ reviewers?: string[] }>(request.body).reviewers ?? []) {
    const path = `/repos/${fullName}/collaborators/${reviewer}/permission`;
    if ((await state.client.call('GET', path)).status !== 200) {
      return validationFailed('PullRequest', 'reviewers', 'Reviews may only be requested from collaborators.');
    }
  }
  return undefined;
}

/** On a merge GitHub closes the issues that the body says it fixes. */
export async function closeFixedIssues(state: FrontState, fullName: string, number: number): Promise<void> {
  const pull = await pullRequestOf(state, fullName, number);
  for (const match of (pull?.body ?? '').matchAll(/\b(?:close|fix|resolve)(?:[sd]|es|ed)?:? #(\d+)/gi)) {
    await state.client.call('PATCH', `/repos/${fullName}/issues/${match[1]}`, { state: 'closed' });
  }
}
