import type { SandboxHost } from '../domain/ports/sandbox-host.ts';
import type { Installations } from '../github/installations.ts';
import type { Database } from '../jobs/database.ts';
import { knownRuns, openRuns, removeOld } from '../jobs/retention.ts';
import type { DiskCaps } from './disk-caps.ts';
import type { Chore } from './housekeeping.ts';
import { redeliverFailed } from './redeliver-failed.ts';
import { LOOK_SECONDS } from './tell-waiting.ts';

export interface ChoreSources {
  database: Database;
  sandboxes: Pick<SandboxHost, 'runs' | 'sweep'>;
  /** Removes the workspaces of runs that are not among `alive`; says how many. */
  sweepWorkspaces(alive: string[]): Promise<number>;
  /** Absent in a process that takes no deliveries. */
  app: Installations['app'] | undefined;
  retentionDays: number;
  transcriptDays: number;
  disk: Pick<DiskCaps, 'enforce'>;
  /** Tells issues of the ends of runs that nobody told them of. */
  tellUntold(othersLive: boolean): Promise<number>;
  /** Tells issues that wait for their turn their position in the queue. */
  tellWaiting(): Promise<number>;
}

const HOUR = 3600;
/** GitHub can send again what it has kept: three days' worth. */
const LOOK_BACK_MS = 3 * 24 * HOUR * 1000;

/** What has to be done from time to time, whatever runs. */
export function choresOf(sources: ChoreSources): Chore[] {
  const { database, app, retentionDays, transcriptDays } = sources;
  return [
    { name: 'remove old runs', everySeconds: 6 * HOUR, run: () => removeOld(database, retentionDays, transcriptDays) },
    { name: 'sweep containers', everySeconds: HOUR, run: () => sweepContainers(sources) },
    {
      name: 'sweep workspaces',
      everySeconds: HOUR,
      run: async () => sources.sweepWorkspaces(await openRuns(database)),
    },
    { name: 'keep within disk caps', everySeconds: HOUR, run: () => sources.disk.enforce() },
    { name: 'tell positions in the queue', everySeconds: LOOK_SECONDS, run: () => sources.tellWaiting() },
    { name: 'tell of ends', everySeconds: 600, run: untoldChore(sources) },
    ...(app === undefined
      ? []
      : [
          {
            name: 'ask for lost deliveries',
            everySeconds: 600,
            run: () => askForLost(database, app),
          },
        ]),
  ];
}

/** Without the database each would only fail again. */
async function askForLost(database: Database, app: Installations['app']): Promise<number> {
  await database.query('SELECT 1');
  const now = new Date();
  return redeliverFailed(app, new Date(now.getTime() - LOOK_BACK_MS), now);
}

/** On the embedded database nobody but this process can be about to tell, at the start not even that. */
function untoldChore({ database, tellUntold }: ChoreSources): () => Promise<number> {
  let othersLive = database.kind !== 'embedded';
  return () => {
    const live = othersLive;
    othersLive = true;
    return tellUntold(live);
  };
}

/** What goes on, here or elsewhere, and what other Fathoms made is not touched: only runs that are over leave something behind. */
async function sweepContainers({ database, sandboxes }: ChoreSources): Promise<number> {
  const onEngine = (await sandboxes.runs?.()) ?? [];
  if (onEngine.length === 0) return 0;
  const { ended } = await knownRuns(database);
  let swept = 0;
  for (const run of onEngine) if (ended.has(run)) swept += await sandboxes.sweep(run);
  return swept;
}
