import type { Sql } from './database.ts';

/** The position in the queue that an issue's comment shows. */
export interface ShownPosition {
  issue: string;
  entryId: string;
  run: string;
  /** Undefined where nothing is shown: whoever asked may not. */
  position: number | undefined;
  shownAt: Date;
}

interface Row {
  issue_key: string;
  entry_id: string | number;
  run: string;
  position: number | null;
  shown_at: Date;
}

export async function shownPositions(sql: Sql): Promise<ShownPosition[]> {
  const rows = await sql.query<Row>('SELECT * FROM fathom.waiting');
  return rows.map((row) => ({
    issue: row.issue_key,
    entryId: String(row.entry_id),
    run: row.run,
    position: row.position ?? undefined,
    shownAt: row.shown_at,
  }));
}

/** True for the one process that is to show it. */
export async function firstShown(sql: Sql, shown: ShownPosition): Promise<boolean> {
  const rows = await sql.query(
    `INSERT INTO fathom.waiting (issue_key, entry_id, run, position, shown_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING run`,
    [shown.issue, shown.entryId, shown.run, shown.position ?? null, shown.shownAt.toISOString()],
  );
  return rows.length > 0;
}

/** True for the one process that is to show the new position. */
export async function movedUp(sql: Sql, shown: ShownPosition, position: number, at: Date): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE fathom.waiting SET position = $3, shown_at = $5
     WHERE issue_key = $1 AND run = $2 AND position = $4 RETURNING run`,
    [shown.issue, shown.run, position, shown.position, at.toISOString()],
  );
  return rows.length > 0;
}

/** True for the one process that is to see to the comment. */
export async function waitsNoLonger(sql: Sql, { issue, run }: ShownPosition): Promise<boolean> {
  const rows = await sql.query('DELETE FROM fathom.waiting WHERE issue_key = $1 AND run = $2 RETURNING run', [
    issue,
    run,
  ]);
  return rows.length > 0;
}
