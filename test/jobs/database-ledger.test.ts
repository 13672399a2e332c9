import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defaultRunSettings } from '../../src/domain/default-settings.ts';
import { HandedOverError, InputError } from '../../src/domain/errors.ts';
import { hashOfIssue } from '../../src/domain/issue-snapshot.ts';
import type { Run } from '../../src/domain/run.ts';
import { createDatabaseLedger } from '../../src/jobs/database-ledger.ts';
import { createDatabaseTrajectories } from '../../src/jobs/database-trajectories.ts';
import { removeOld } from '../../src/jobs/retention.ts';
import { claimRun, createRun, endRun } from '../../src/jobs/runs.ts';
import { onBothDatabases } from './support/databases.ts';

const text = { title: 't', body: 'b', comments: [] };
const run: Run = {
  id: 'r1',
  mode: 'diagnose',
  repository: { kind: 'remote', owner: 'acme', name: 'widget', url: 'https://github.test/acme/widget.git' },
  snapshot: {
    ...text,
    trigger: { kind: 'label', actor: 'alice', at: '2026-11-30T12:00:00.000Z' },
    hash: hashOfIssue(text),
  },
  settings: defaultRunSettings('model'),
  startedAt: '2026-11-30T12:00:00.000Z',
};
const hostile = 'NUL \u0000 \ud800 half a pair, "quotes" \\u0000 and \u2028';

describe('the ledger in the database', () => {
  onBothDatabases((database) => {
    beforeEach(async () => {
      await database.get().query("INSERT INTO fathom.issue VALUES ('10#1', 77, 10, 'acme', 'widget', 1)");
      await createRun(database.get(), { entryId: '1', issue: '10#1', run });
    });

    it('gives back what was saved, whatever characters are in it', async () => {
      const { attempt } = await claimRun(database.get(), 'r1', 'w');
      const ledger = createDatabaseLedger(database.get(), attempt);
      await ledger.save('r1', 'answer/answerer-1', { text: hostile });
      await ledger.append('r1', { at: 'now', type: 'note', text: hostile });
      const loaded = await ledger.load('r1', 'answer/answerer-1', z.object({ text: z.string() }));
      expect(loaded?.text).toBe(hostile);
      expect(await ledger.load('r1', 'other', z.string())).toBeUndefined();
    });

    it('saving a key again replaces it', async () => {
      const { attempt } = await claimRun(database.get(), 'r1', 'w');
      const ledger = createDatabaseLedger(database.get(), attempt);
      await ledger.save('r1', 'ask', 1);
      await ledger.save('r1', 'ask', 2);
      expect(await ledger.load('r1', 'ask', z.number())).toBe(2);
    });

    it('an attempt whose run was taken up by another writes nothing any more', async () => {
      const before = await claimRun(database.get(), 'r1', 'slow');
      const after = await claimRun(database.get(), 'r1', 'fast');
      const stale = createDatabaseLedger(database.get(), before.attempt);
      await createDatabaseLedger(database.get(), after.attempt).save('r1', 'ask', 'new');
      await expect(stale.save('r1', 'ask', 'old')).rejects.toThrow(HandedOverError);
      await expect(stale.append('r1', { at: 'now', type: 'note', text: 'old' })).rejects.toThrow(HandedOverError);
      await expect(endRun(database.get(), before, { kind: 'diagnosed' })).rejects.toThrow(HandedOverError);
      expect(await stale.load('r1', 'ask', z.string())).toBe('new');
    });

    it('an artefact of a version that is not understood is named', async () => {
      const { attempt } = await claimRun(database.get(), 'r1', 'w');
      const ledger = createDatabaseLedger(database.get(), attempt);
      await ledger.save('r1', 'ask', { questions: 'none' });
      const load = ledger.load('r1', 'ask', z.object({ questions: z.array(z.string()) }));
      await expect(load).rejects.toThrow(InputError);
      await expect(load).rejects.toThrow('run r1, ask');
    });

    it('transcripts come back in order, and only those of the agent', async () => {
      const store = createDatabaseTrajectories(database.get());
      for (const step of [1, 2, 3]) {
        await store.append('r1', 'a', { type: 'recovery', at: 'now', step, recovery: 'x', detail: hostile });
      }
      await store.append('r1', 'b', { type: 'recovery', at: 'now', step: 9, recovery: 'x', detail: '' });
      expect((await store.read('r1', 'a')).map((entry) => 'step' in entry && entry.step)).toEqual([1, 2, 3]);
    });

    it('transcripts may go earlier than the runs that they are of', async () => {
      const record = await claimRun(database.get(), 'r1', 'w');
      const store = createDatabaseTrajectories(database.get());
      await store.append('r1', 'a', { type: 'recovery', at: 'now', step: 1, recovery: 'x', detail: '' });
      await endRun(database.get(), record, { kind: 'diagnosed' });
      await database.get().query("UPDATE fathom.run SET ended_at = now() - interval '9 days'");
      expect(await removeOld(database.get(), 30, 10)).toBe(0);
      expect(await store.read('r1', 'a')).toHaveLength(1);
      expect(await removeOld(database.get(), 30, 7)).toBe(0);
      expect(await store.read('r1', 'a')).toEqual([]);
      expect(await database.get().query('SELECT 1 FROM fathom.run')).toHaveLength(1);
    });

    it('runs that ended long ago go with everything that was kept of them, and open ones stay', async () => {
      const record = await claimRun(database.get(), 'r1', 'w');
      const ledger = createDatabaseLedger(database.get(), record.attempt);
      await ledger.save('r1', 'ask', 1);
      expect(await removeOld(database.get(), 1)).toBe(0);
      await endRun(database.get(), record, { kind: 'diagnosed' });
      await database.get().query("UPDATE fathom.run SET ended_at = now() - interval '2 days'");
      expect(await removeOld(database.get(), 1)).toBe(1);
      for (const table of ['run', 'artefact', 'issue']) {
        expect(await database.get().query(`SELECT 1 FROM fathom.${table}`)).toEqual([]);
      }
    });
  });
});
