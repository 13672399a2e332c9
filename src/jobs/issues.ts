import type { IssueInboxEntry } from '../domain/inbox.ts';
import type { IssueRef } from '../domain/ports/forge.ts';
import type { Sql } from './database.ts';

/** An issue as the queue knows it. The key stays the same when the repository is renamed. */
export interface KnownIssue extends IssueRef {
  key: string;
  installationId: string;
  repositoryId: string;
}

export const issueKey = (entry: Pick<IssueInboxEntry, 'repository' | 'issue'>): string =>
  `${entry.repository.id}#${entry.issue.number}`;

/** Finds the issue and locks it until the transaction ends. */
export async function lockIssue(sql: Sql, key: string): Promise<KnownIssue | undefined> {
  const [row] = await sql.query<IssueRow>('SELECT * FROM fathom.issue WHERE key = $1 FOR UPDATE', [key]);
  return row && issueOf(row);
}

export async function findIssue(sql: Sql, key: string): Promise<KnownIssue | undefined> {
  const [row] = await sql.query<IssueRow>('SELECT * FROM fathom.issue WHERE key = $1', [key]);
  return row && issueOf(row);
}

export interface IssueRow {
  key: string;
  installation_id: string | number;
  repository_id: string | number;
  owner: string;
  name: string;
  number: number;
}

export const issueOf = (row: IssueRow): KnownIssue => ({
  key: row.key,
  installationId: String(row.installation_id),
  repositoryId: String(row.repository_id),
  owner: row.owner,
  repo: row.name,
  number: row.number,
});
