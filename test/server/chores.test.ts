import { expect, it } from 'vitest';
import type { Database } from '#src/jobs/database.ts';
import { type ChoreSources, choresOf } from '#src/server/chores.ts';
import { startHousekeeping } from '#src/server/housekeeping.ts';
import { silent } from '../github/forge-on-front.ts';

const nothing = async () => 0;
const sources: ChoreSources = {
  database: { kind: 'embedded' } as Database,
  sandboxes: { sweep: nothing },
  sweepWorkspaces: nothing,
  app: {} as NonNullable<ChoreSources['app']>,
  retentionDays: 90,
  transcriptDays: 90,
  disk: { enforce: nothing },
  tellUntold: nothing,
  tellWaiting: nothing,
};

it('GitHub is asked for deliveries that failed every ten minutes, by a process that takes deliveries', () => {
  const seconds = (of: ChoreSources) =>
    choresOf(of).flatMap(({ name, everySeconds }) => (name === 'ask for lost deliveries' ? [everySeconds] : []));
  expect(seconds(sources)).toEqual([600]);
  expect(seconds({ ...sources, app: undefined })).toEqual([]);
});

it('no delivery is asked for again while the database cannot take it', async () => {
  const database = {
    kind: 'postgres',
    query: async () => {
      throw new Error('away');
    },
  } as unknown as Database;
  const asked: string[] = [];
  const app = { rest: new Proxy({}, { get: (_, name) => asked.push(String(name)) }) } as unknown as ChoreSources['app'];
  const chore = choresOf({ ...sources, database, app }).find(({ name }) => name === 'ask for lost deliveries');
  await expect(chore?.run()).rejects.toThrow('away');
  expect(asked).toEqual([]);
});

it('containers of runs that ended are swept, however long ago, and of no other', async () => {
  const rows = [
    { id: 'over', ended: true },
    { id: 'goes-on', ended: false },
  ];
  const database = { kind: 'postgres', query: async () => rows } as unknown as Database;
  const swept: (string | undefined)[] = [];
  const sandboxes: ChoreSources['sandboxes'] = {
    runs: async () => ['somebody-elses', 'goes-on', 'over'],
    sweep: async (run) => swept.push(run),
  };
  await choresOf({ ...sources, database, sandboxes })
    .find(({ name }) => name === 'sweep containers')
    ?.run();
  expect(swept).toEqual(['over']);
});

it('positions in the queue are told no more often than a comment may be edited', () => {
  expect(choresOf(sources).find(({ name }) => name === 'tell positions in the queue')?.everySeconds).toBe(20);
});

it('every chore is done at the start, and one that fails keeps none from being done', async () => {
  const done: string[] = [];
  const chore = (name: string, fails = false) => ({
    name,
    everySeconds: 3600,
    run: async () => {
      done.push(name);
      if (fails) throw new Error('no');
      return 1;
    },
  });
  const end = startHousekeeping([chore('a', true), chore('b')], silent);
  await end();
  expect(done).toEqual(['a', 'b']);
});
