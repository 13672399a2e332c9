import type Docker from 'dockerode';
import type { SandboxSpec } from '../domain/ports/sandbox-host.ts';
import { useOfFolder, useOfLayer } from './disk-use.ts';
import { type DiskPlace, DiskWatch } from './disk-watch.ts';
import type { SandboxLimits } from './limits.ts';

/** Watches of everything that a container can fill, but for its memory file systems, which have a size of their own. */
export function watchDisk(
  container: Docker.Container,
  spec: SandboxSpec,
  limits: SandboxLimits,
  engineFolder: string | undefined,
): Promise<DiskWatch[]> {
  const files = limits.diskFiles;
  const folders = spec.mounts
    .filter((mount) => mount.kind === 'bind' && !mount.readOnly)
    .map(({ source, target }): DiskPlace => {
      const measure: DiskPlace['measure'] = (most) => useOfFolder(source, most);
      return { name: target, path: source, limits: { bytes: limits.diskBytes, files }, measure };
    });
  const layer: DiskPlace = {
    name: "the container's file system",
    path: engineFolder,
    limits: { bytes: limits.layerBytes, files: Number.MAX_SAFE_INTEGER },
    measure: () => useOfLayer(container),
  };
  return Promise.all(
    [...folders, ...(spec.writableRoot === true ? [layer] : [])].map((place) => DiskWatch.begin(place)),
  );
}
