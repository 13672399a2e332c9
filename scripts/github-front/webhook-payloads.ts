import type { FrontState } from './front-state.ts';
import { brought, type PullRequest, pullRequestOf } from './pull-requests.ts';

interface IssuePayload {
  number: number;
  html_url: string;
  pull_request?: unknown;
}
interface Payload {
  action?: string;
  label?: { name?: string };
  issue?: IssuePayload;
  number?: number;
  pull_request?: PullRequest;
  repository?: { full_name: string };
  [key: string]: unknown;
}

/** Makes the emulator's payload look like GitHub's; gives the event's name too, because a label on a pull request has another. */
export async function completePayload(
  state: FrontState,
  event: string,
  payload: Payload,
): Promise<{ event: string; payload: Payload }> {
  const fullName = payload.repository?.full_name;
  if (fullName === undefined) return { event, payload };
  await completeLabel(state, fullName, payload);
  if (event === 'pull_request' && payload.pull_request !== undefined) {
    const pull = await brought(state, fullName, payload.pull_request);
    return { event, payload: { ...payload, number: pull.number, pull_request: pull } };
  }
  const pull = payload.issue === undefined ? undefined : await pullRequestOf(state, fullName, payload.issue.number);
  return pull === undefined ? { event, payload } : aboutPullRequest(event, payload, pull);
}

async function completeLabel(state: FrontState, fullName: string, payload: Payload): Promise<void> {
  const name = payload.label?.name;
  if (name === undefined) return;
  const path = `/repos/${fullName}/labels/${encodeURIComponent(name)}`;
  const label = await state.client.call<{ name: string }>('GET', path);
  if (label.status === 200) payload.label = label.data;
}

function aboutPullRequest(event: string, payload: Payload, pull: PullRequest): { event: string; payload: Payload } {
  const { issue, ...rest } = payload;
  if (event === 'issues')
    return { event: 'pull_request', payload: { ...rest, number: pull.number, pull_request: pull } };
  const { url, html_url, diff_url, patch_url, merged_at } = pull;
  const marked = { ...issue, html_url, pull_request: { url, html_url, diff_url, patch_url, merged_at } };
  return { event, payload: { ...payload, issue: marked as IssuePayload } };
}
