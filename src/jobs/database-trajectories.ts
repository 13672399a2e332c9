import { randomUUID } from 'node:crypto';
import type { TrajectoryEntry, TrajectoryStore } from '../domain/ports/trajectory-store.ts';
import type { Sql } from './database.ts';

/** Transcripts in the database, in the order in which they were appended. */
export function createDatabaseTrajectories(sql: Sql): TrajectoryStore {
  return {
    append: async (run, agent, entry) => {
      await sql.query(
        'INSERT INTO fathom.trajectory (token, run, agent, entry) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [randomUUID(), run, agent, JSON.stringify(entry)],
      );
    },
    read: async (run, agent) => {
      const rows = await sql.query<{ entry: string }>(
        'SELECT entry FROM fathom.trajectory WHERE run = $1 AND agent = $2 ORDER BY id',
        [run, agent],
      );
      return rows.map((row) => JSON.parse(row.entry) as TrajectoryEntry);
    },
  };
}
