import { describe, expect, it, onTestFinished } from 'vitest';
import { findRun } from '../../src/jobs/runs.ts';
import { onBothDatabases } from './support/databases.ts';
import { diagnosed, testWorker, until } from './support/worker.ts';

/** As the first version of Fathom stored them, byte for byte: whoever changes a schema must still read these. */
const ENTRY = `{"deliveryId":"d-1","eventKey":"issues/1001/labeled/auto-triage/1","installationId":77,
"receivedAt":"2026-11-30T12:00:00.000Z","actor":{"id":5,"login":"alice"},"repository":{"id":10,"owner":"acme",
"name":"widget-10","private":false,"cloneUrl":"https://github.test/acme/widget-10.git"},"issue":{"id":1001,"number":1,
"title":"It breaks","body":"Like this.","author":"rita","url":"https://github.test/acme/widget-10/issues/1",
"labels":["auto-triage"],"open":true,"locked":false,"updatedAt":"2026-11-30T12:00:00.000Z"},"kind":"labeled",
"label":"auto-triage","mode":"resolve"}`;
const RUN = `{"id":"0123456789ab","mode":"diagnose","repository":{"kind":"remote","owner":"acme","name":"widget-10",
"url":"https://github.test/acme/widget-10.git"},"snapshot":{"title":"It breaks","body":"Like this.","comments":[],
"trigger":{"kind":"label","actor":"alice","at":"2026-11-30T12:00:00.000Z"},
"hash":"7d0c1a0f3c2f7f0a0f6a3f0e1b2c3d4e5f60718293a4b5c6d7e8f90011223344"},"settings":{"budgetUsd":6},
"startedAt":"2026-11-30T12:00:00.000Z"}`;

describe('what the first version of Fathom left in the queue', () => {
  onBothDatabases((database) => {
    it('a request that nobody had acted upon, and a run that was interrupted, are finished by this one', async () => {
      const executed: string[] = [];
      const made = await testWorker(database.get(), async (run) => {
        executed.push(run.snapshot.title);
        return diagnosed;
      });
      onTestFinished(() => made.stop());
      const sql = database.get();
      for (const issue of [1, 2]) {
        await sql.query(
          `INSERT INTO fathom.issue (key, installation_id, repository_id, owner, name, number)
           VALUES ($1, 77, 10, 'acme', 'widget-10', $2)`,
          [`10#${issue}`, issue],
        );
      }
      await sql.query(
        `INSERT INTO fathom.inbox (delivery_id, event_key, issue_key, kind, version, entry)
         VALUES ('d-1', 'issues/1001/labeled/auto-triage/1', '10#1', 'labeled', 1, $1)`,
        [ENTRY],
      );
      await sql.query(
        `INSERT INTO fathom.run (id, entry_id, since, issue_key, mode, label, version, run, state, attempt)
         VALUES ('0123456789ab', 900, 900, '10#2', 'diagnose', 'auto-diagnose', 1, $1, 'running', 1)`,
        [RUN],
      );
      for (const issue of ['10#1', '10#2']) {
        await made.ports.queue.sendIssue(sql, { issue, repositoryId: '10', urgent: false });
      }
      await made.start();
      await until(() => executed.length === 2);
      await until(async () => (await findRun(sql, '0123456789ab'))?.endKind === 'diagnosed');
      expect(executed).toEqual(['It breaks', 'It breaks']);
    });
  });
});
