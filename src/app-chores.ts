import type { Forge } from './domain/ports/forge.ts';
import { systemClock } from './domain/system-clock.ts';
import { IMAGE_NAME } from './environment/image-key.ts';
import { pruneMirrors, pruneWorkspaces } from './git/prune-folders.ts';
import { sweepWorkspaces } from './git/sweep-workspaces.ts';
import type { Installations } from './github/installations.ts';
import { tellUntold } from './jobs/tell-end.ts';
import type { WorkerPorts } from './jobs/worker-ports.ts';
import type { ChoreSources } from './server/chores.ts';
import { createDiskCaps, type DiskCapSources, type DiskCaps } from './server/disk-caps.ts';
import { tellWaiting } from './server/tell-waiting.ts';
import type { ServerConfig } from './server-config.ts';

/** A workspace is opened anew by each attempt, and no attempt takes longer than a run may. */
const idleSecondsOf = (config: ServerConfig): number => config.settings.seconds + 3600;

/** What this process keeps within bounds on the disk, the engine and in the database. */
export function composeDiskCaps(config: ServerConfig, parts: Pick<DiskCapSources, 'database' | 'sandboxes'>): DiskCaps {
  return createDiskCaps({
    ...parts,
    pruneMirrors: (cap) => pruneMirrors(config.dataDir, cap),
    pruneWorkspaces: (cap) => pruneWorkspaces(config.dataDir, cap),
    caps: config.diskCaps,
    imageName: IMAGE_NAME,
    idleSeconds: idleSecondsOf(config),
    now: () => systemClock.now().getTime(),
  });
}

/** `app` is absent in a process that takes no deliveries. */
export function composeChores(
  config: ServerConfig,
  ports: WorkerPorts,
  parts: Pick<ChoreSources, 'sandboxes' | 'disk'> & { app: Installations['app'] | undefined; forge: Forge },
): ChoreSources {
  const olderThanSeconds = idleSecondsOf(config);
  const { forge, ...others } = parts;
  const { database, permission, clock, log } = ports;
  return {
    ...others,
    database,
    tellWaiting: () => tellWaiting({ database, permission, clock, log, forge }),
    tellUntold: (othersLive) => tellUntold(ports, othersLive),
    sweepWorkspaces: (alive) =>
      sweepWorkspaces(config.dataDir, { now: systemClock.now().getTime(), olderThanSeconds, alive }),
    retentionDays: config.retentionDays,
    transcriptDays: config.transcriptDays,
  };
}
