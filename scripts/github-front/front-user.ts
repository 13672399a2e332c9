import { userToken } from './front-options.ts';
import type { FrontState } from './front-state.ts';

interface FrontIssue {
  id: number;
  number: number;
  title: string;
  body: string | null;
  html_url: string;
  state: string;
  labels: { name: string }[];
}
interface FrontComment {
  id: number;
  body: string;
  html_url: string;
  user: { login: string; id: number; type: string };
}

/** A person at GitHub's website: does what is said through the API with their own token. */
export interface FrontUser {
  login: string;
  /** Any call; gives the parsed body. Throws unless the status is 2xx. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  open(repository: string, issue: { title: string; body: string }): Promise<FrontIssue>;
  label(repository: string, number: number, label: string): Promise<void>;
  unlabel(repository: string, number: number, label: string): Promise<void>;
  comment(repository: string, number: number, body: string): Promise<FrontComment>;
  edit(repository: string, number: number, change: { title?: string; body?: string }): Promise<FrontIssue>;
  editComment(repository: string, id: number, body: string): Promise<FrontComment>;
  close(repository: string, number: number): Promise<void>;
  lock(repository: string, number: number): Promise<void>;
  issue(repository: string, number: number): Promise<FrontIssue>;
  comments(repository: string, number: number): Promise<FrontComment[]>;
}

export function createFrontUser(state: FrontState, login: string): FrontUser {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = { authorization: `token ${userToken(login)}`, 'content-type': 'application/json' };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(state.url + path, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${login}: ${method} ${path} was answered with ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  const at = (repository: string, number: number) => `/repos/${repository}/issues/${number}`;
  return {
    login,
    call,
    open: (repository, issue) => call('POST', `/repos/${repository}/issues`, issue),
    label: (repository, number, label) => call('POST', `${at(repository, number)}/labels`, { labels: [label] }),
    unlabel: (repository, number, label) =>
      call('DELETE', `${at(repository, number)}/labels/${encodeURIComponent(label)}`),
    comment: (repository, number, body) => call('POST', `${at(repository, number)}/comments`, { body }),
    edit: (repository, number, change) => call('PATCH', at(repository, number), change),
    editComment: (repository, id, body) => call('PATCH', `/repos/${repository}/issues/comments/${id}`, { body }),
    close: (repository, number) => call('PATCH', at(repository, number), { state: 'closed' }),
    lock: (repository, number) => call('PUT', `${at(repository, number)}/lock`, {}),
    issue: (repository, number) => call('GET', at(repository, number)),
    comments: (repository, number) => call('GET', `${at(repository, number)}/comments?per_page=100`),
  };
}
