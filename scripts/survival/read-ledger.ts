import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stage } from '../../src/domain/stage.ts';
import { type OpenDatabase, openDatabase } from '../../src/jobs/open-database.ts';
import type { KeptRun } from './judge-run.ts';

/** A run with its issue's number, as the ledger has it. */
export interface LedgerRun extends KeptRun {
  id: string;
  issue: number;
  end: string | undefined;
}

/**
 * What a database holds of its runs. That of a dead process is read from a copy: the process that comes after it finds
 * everything as it was left.
 */
export async function readLedger(where: { url: string | undefined; dataDir: string }): Promise<LedgerRun[]> {
  if (where.url !== undefined) return readAndClose(await openDatabase(where));
  const copy = mkdtempSync(join(tmpdir(), 'fathom-copy-'));
  try {
    mkdirSync(join(copy, 'db'));
    cpSync(join(where.dataDir, 'db'), join(copy, 'db'), { recursive: true });
    return await readAndClose(await openDatabase({ url: undefined, dataDir: copy }));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function readAndClose(database: OpenDatabase): Promise<LedgerRun[]> {
  try {
    return await read(database);
  } finally {
    await database.close();
  }
}

async function read(database: OpenDatabase): Promise<LedgerRun[]> {
  const runs = await database.query<{ id: string; number: number; state: string; end_kind: string | null }>(
    'SELECT r.id, i.number, r.state, r.end_kind FROM fathom.run r JOIN fathom.issue i ON i.key = r.issue_key',
  );
  const artefacts = await database.query<{ run: string; key: string; at: string }>(
    'SELECT run, key, (extract(epoch FROM saved_at) * 1000)::text AS at FROM fathom.artefact',
  );
  const events = await database.query<{ run: string; event: string }>(
    `SELECT run, event FROM fathom.event WHERE event LIKE '%stage-started%' ORDER BY id`,
  );
  return runs.map(({ id, number, state, end_kind }) => ({
    id,
    issue: number,
    state,
    end: end_kind ?? undefined,
    saved: Object.fromEntries(artefacts.filter(({ run }) => run === id).map(({ key, at }) => [key, Number(at)])),
    begun: events.filter(({ run }) => run === id).flatMap(({ event }) => stageBegun(event)),
  }));
}

function stageBegun(text: string): Stage[] {
  const event = JSON.parse(text) as { type: string; stage: unknown };
  return event.type === 'stage-started' ? [Stage.parse(event.stage)] : [];
}
