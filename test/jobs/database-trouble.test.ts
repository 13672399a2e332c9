import { describe, expect, it, onTestFinished } from 'vitest';
import { listRuns } from '../../src/jobs/runs.ts';
import type { WorkerPorts } from '../../src/jobs/worker-ports.ts';
import { embedded, onBothDatabases, onPostgres, type TestDatabase } from './support/databases.ts';
import { labeled } from './support/entries.ts';
import { postgresPrograms } from './support/postgres.ts';
import { diagnosed, testWorker, until } from './support/worker.ts';

async function worker(database: TestDatabase, execute: WorkerPorts['execute']) {
  const made = await testWorker(database.get(), execute);
  onTestFinished(() => made.stop());
  await made.start();
  return made;
}

const run = async (database: TestDatabase) => (await listRuns(database.get(), 1))[0];
/** The pause is over. */
const goOn = (database: TestDatabase) =>
  database.get().query("UPDATE pgboss.job SET start_after = now() WHERE name = 'issue' AND state < 'active'");

const noRoom = `CREATE FUNCTION public.no_room() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$`;
/** Nothing that is in the queue, or on its way back to it, can be written. */
const refuseJobs = `${noRoom};
  CREATE TRIGGER no_room BEFORE INSERT OR UPDATE OR DELETE ON pgboss.job FOR EACH ROW EXECUTE FUNCTION public.no_room()`;
const takeJobs = 'DROP FUNCTION IF EXISTS public.no_room CASCADE';

describe('a disk without room for the database', () => {
  onBothDatabases((database) => {
    it('keeps a run from going on only as long as it is full', async () => {
      let attempts = 0;
      const made = await worker(database, async () => {
        attempts += 1;
        if (attempts > 1) return diagnosed;
        await database.get().script(refuseJobs);
        throw new Error('interrupted');
      });
      onTestFinished(() => database.get().script(takeJobs));
      await made.inbox.accept(labeled());
      await until(() => made.errors.some((error) => String(error).includes('no space left')));
      await database.get().script(takeJobs);
      await until(async () => {
        await goOn(database);
        return (await run(database))?.endKind === 'diagnosed';
      });
    });
  });

  describe('of the embedded database', () => {
    const database = embedded();

    it('is told as what passes', async () => {
      const full = database.get().transaction(async (sql) => {
        await sql.script(`CREATE TEMP TABLE room (n int) ON COMMIT DROP; ${noRoom};
          CREATE TRIGGER no_room BEFORE INSERT ON room FOR EACH ROW EXECUTE FUNCTION public.no_room()`);
        await sql.query('INSERT INTO room VALUES (1)');
      });
      await expect(full).rejects.toMatchObject({ code: 'database' });
    });
  });
});

describe('a database that was away for longer than it is waited for', () => {
  onBothDatabases((database) => {
    it('pauses the run, which does not fail of it', async () => {
      const code = database.get().kind === 'embedded' ? 'database' : 'database-unreachable';
      let away = true;
      const made = await worker(database, async () =>
        away ? { kind: 'failed', code, message: 'away', remedy: 'wait' } : diagnosed,
      );
      await made.inbox.accept(labeled());
      await until(
        async () => (await run(database))?.state === 'paused' && (await made.ports.queue.depth()).waiting === 1,
      );
      away = false;
      await goOn(database);
      await until(async () => (await run(database))?.endKind === 'diagnosed');
    });
  });
});

describe.skipIf(postgresPrograms === undefined)('a server that only reads since another took its place', () => {
  const database = onPostgres();

  it('is left for the one that writes', async () => {
    await database.get().query('SET default_transaction_read_only = on');
    const written = await database.get().query("INSERT INTO fathom.spending (scope) VALUES ('run:r') RETURNING scope");
    expect(written).toEqual([{ scope: 'run:r' }]);
  });
});
