import { setTimeout } from 'node:timers/promises';
import type Docker from 'dockerode';
import { RUN_LABEL } from './container-options.ts';
import { statusOf } from './engine-errors.ts';

/** Removes every container and volume that carries the run's label, and says how many there were. */
export async function sweepEngine(engine: Docker, run: string | undefined): Promise<number> {
  const filters = { label: [run === undefined ? RUN_LABEL : `${RUN_LABEL}=${run}`] };
  const containers = await engine.listContainers({ all: true, filters });
  const gone = await Promise.all(containers.map(({ Id }) => removeContainer(engine.getContainer(Id))));
  const { Volumes } = await engine.listVolumes({ filters });
  const volumes = (Volumes ?? []).map(({ Name }) => removed(engine.getVolume(Name).remove({ force: true })));
  return [...gone, ...(await Promise.all(volumes))].filter(Boolean).length;
}

/** The runs whose label is on a container or volume of the engine. */
export async function runsOnEngine(engine: Docker): Promise<string[]> {
  const filters = { label: [RUN_LABEL] };
  const containers = await engine.listContainers({ all: true, filters });
  const { Volumes } = await engine.listVolumes({ filters });
  const labels = [...containers, ...(Volumes ?? [])].map(({ Labels }) => Labels?.[RUN_LABEL]);
  return [...new Set(labels.filter((run) => run !== undefined && run !== ''))] as string[];
}

async function removeContainer(container: Docker.Container): Promise<boolean> {
  if (await removed(container.remove({ force: true, v: true }))) return true;
  // Somebody else is removing it; whoever asked for the sweep may rely on its being gone afterwards.
  const gone = container.wait({ condition: 'removed' }).catch(() => undefined);
  await Promise.race([gone, setTimeout(REMOVAL_MS, undefined, { ref: false })]);
  return false;
}

const REMOVAL_MS = 10_000;

/** False where somebody else was faster: it is gone (404), or its removal is under way or it is in use (409). */
async function removed(removal: Promise<unknown>): Promise<boolean> {
  try {
    await removal;
    return true;
  } catch (error) {
    if (![404, 409].includes(statusOf(error) ?? 0)) throw error;
    return false;
  }
}
