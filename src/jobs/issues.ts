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

/** Keeps what the entry says of its issue, and locks the issue until the transaction ends. */
export async function upsertIssue(sql: Sql, entry: IssueInboxEntry): Promise<void> {
  await sql.query(
    `INSERT INTO fathom.issue (key, installation_id, repository_id, owner, name, number)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (key) DO UPDATE SET installation_id = excluded.installation_id, owner = excluded.owner, name = excluded.name`,
    [
      issueKey(entry),
      entry.installationId,
      entry.repository.id,
      entry.repository.owner,
      entry.repository.name,
      entry.issue.number,
    ],
  );
}

/** Locks the issue until the transaction ends. */
export async function lockIssue(sql: Sql, key: string): Promise<void> {
  await sql.query('SELECT key FROM fathom.issue WHERE key = $1 FOR UPDATE', [key]);
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
