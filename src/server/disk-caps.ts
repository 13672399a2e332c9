import type { FolderCap, FolderUse } from '../domain/disk.ts';
import type { SandboxHost } from '../domain/ports/sandbox-host.ts';
import type { Database } from '../jobs/database.ts';
import { keptBytes, knownRuns, removeBeyond } from '../jobs/retention.ts';

export type DiskKind = 'mirrors' | 'workspaces' | 'images' | 'artefacts';
/** Bytes of each kind. */
export type DiskBytes = Record<DiskKind, number>;

export interface DiskCapSources {
  database: Database;
  sandboxes: Pick<SandboxHost, 'pruneImages' | 'imageBytes'>;
  pruneMirrors(cap: FolderCap): Promise<FolderUse>;
  pruneWorkspaces(cap: FolderCap): Promise<FolderUse>;
  caps: DiskBytes;
  /** The repository of images that set-ups leave. */
  imageName: string;
  /** What was used within so many seconds may be in use still. */
  idleSeconds: number;
  now(): number;
}

export interface DiskCaps {
  caps: DiskBytes;
  /** What was found when it was looked at last. */
  used(): Partial<DiskBytes>;
  /** Removes of each kind what was unused longest until the rest is within its cap. Says how much was removed. */
  enforce(): Promise<number>;
}

/** Keeps what runs leave behind from filling the disk. Nothing that a run uses is touched. */
export function createDiskCaps(sources: DiskCapSources): DiskCaps {
  const used: Partial<DiskBytes> = {};
  const kinds: Record<DiskKind, () => Promise<FolderUse>> = {
    mirrors: () => sources.pruneMirrors({ bytes: sources.caps.mirrors, isUnused: (_name, at) => isIdle(sources, at) }),
    workspaces: () => workspaces(sources),
    images: () => images(sources),
    artefacts: () => artefacts(sources),
  };
  return {
    caps: sources.caps,
    used: () => used,
    async enforce() {
      const failures: unknown[] = [];
      let removed = 0;
      for (const [kind, prune] of Object.entries(kinds) as [DiskKind, () => Promise<FolderUse>][]) {
        try {
          const left = await prune();
          used[kind] = left.bytes;
          removed += left.removed;
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
      return removed;
    },
  };
}

const isIdle = ({ now, idleSeconds }: DiskCapSources, at: number): boolean => now() - at > idleSeconds * 1000;

/** Those of runs that ended are leftovers; of others, such as the command line's, only their age tells. */
async function workspaces(sources: DiskCapSources): Promise<FolderUse> {
  const { ended, open } = await knownRuns(sources.database);
  return sources.pruneWorkspaces({
    bytes: sources.caps.workspaces,
    isUnused: (name, at) => ended.has(name) || (!open.has(name) && isIdle(sources, at)),
  });
}

async function images({ sandboxes, imageName, caps, idleSeconds }: DiskCapSources): Promise<FolderUse> {
  const removed = (await sandboxes.pruneImages?.(imageName, { bytes: caps.images, idleSeconds })) ?? 0;
  return { removed, bytes: (await sandboxes.imageBytes?.(imageName)) ?? 0 };
}

async function artefacts({ database, caps }: DiskCapSources): Promise<FolderUse> {
  const removed = await removeBeyond(database, caps.artefacts);
  return { removed, bytes: await keptBytes(database) };
}
