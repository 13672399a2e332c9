/** Statements, one at a time. Rows come back as objects; numbers of 64 bits may be strings. */
export interface Sql {
  query<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Several statements without values, as a migration is. */
  script(text: string): Promise<void>;
}

/**
 * Where runs are kept: PostgreSQL, or PGlite in the data directory. A lost connection is waited for, so a statement or
 * transaction may be carried out twice: each is written so that the second time changes nothing.
 * @throws EnvironmentError when the database cannot be had for as long as `patienceSeconds`.
 */
export interface Database extends Sql {
  readonly kind: 'postgres' | 'embedded';
  transaction<T>(work: (sql: Sql) => Promise<T>, patienceSeconds?: number): Promise<T>;
  close(): Promise<void>;
}
