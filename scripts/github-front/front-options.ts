type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read';

/** Where a repository's files come from: a folder, a git repository with its history, or commits given in full. */
export type FrontContent =
  | { folder: string }
  | { repository: string }
  | { commits: { message: string; files: Record<string, string | Buffer> }[] };

export interface FrontRepository {
  /** An organization; made when there is none. */
  owner: string;
  name: string;
  private?: boolean;
  defaultBranch?: string;
  content: FrontContent;
  /** Users that are made, with what they may do here. Who is only in `users` has no role. */
  roles?: Record<string, Role>;
  labels?: string[];
  issues?: { title: string; body: string; author: string }[];
  /** False: draft pull requests are refused, as in private repositories on some plans. */
  drafts?: boolean;
}

export interface FrontOptions {
  repositories: FrontRepository[];
  /** Further users, without any role. */
  users?: string[];
  /** Where the App receives its webhooks; can be set later. */
  webhookUrl?: string;
  webhookSecret?: string;
  port?: number;
  slug?: string;
  appId?: number;
  /** What the installation is granted; what `app.yml` asks for when absent. */
  permissions?: Record<string, 'read' | 'write'>;
}

export const appPermissions: Record<string, 'read' | 'write'> = {
  metadata: 'read',
  contents: 'write',
  issues: 'write',
  pull_requests: 'write',
};

export const adminLogin = 'octo-admin';
export const userToken = (login: string): string => `user-token-of-${login}`;

export function loginsOf(options: FrontOptions): string[] {
  const logins = options.repositories.flatMap((entry) => [
    ...Object.keys(entry.roles ?? {}),
    ...(entry.issues ?? []).map((issue) => issue.author),
  ]);
  return [...new Set([...logins, ...(options.users ?? [])])];
}
