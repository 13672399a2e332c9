import type { Mount, SandboxHost } from '../domain/ports/sandbox-host.ts';
import { imageKey } from './image-key.ts';

/** What decides which image a set-up leaves behind. */
export interface SetUpParts {
  host: SandboxHost;
  /** Names the repository; images are not shared between any two. */
  repository: string;
  /** The image to start from. */
  image: string;
  /** Where the repository is in the container. */
  mount: Pick<Mount, 'target'>;
  setup: string;
  /** Hashes of the files that the set-up reads, by path. */
  inputs: Record<string, string>;
}

/**
 * The name of the image that a set-up of these parts leaves, and whether the engine has it from an earlier one; then it is
 * noted as used. @throws SandboxError when the engine does not answer
 */
export async function keptImage(parts: SetUpParts): Promise<{ name: string; isThere: boolean }> {
  const { host, image, mount, repository, setup, inputs } = parts;
  const base = (await host.imageDigest(image)) ?? image;
  const name = imageKey({ repository, base, setup, target: mount.target, inputs });
  const isThere = (await host.imageDigest(name)) !== undefined;
  if (isThere) await host.markUsed?.(name);
  return { name, isThere };
}
