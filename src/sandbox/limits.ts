const MiB = 2 ** 20;

/** What one container may use, and how much of a command's output is carried and kept. Sizes in bytes. */
export interface SandboxLimits {
  memoryBytes: number;
  /** Processor cores; fractions are allowed. */
  cpus: number;
  pids: number;
  /** Size of `/tmp`, which is memory; the home folder has as much again. */
  tmpBytes: number;
  openFiles: number;
  /** By how much a checkout that commands may write to can grow; no single file can be larger. */
  diskBytes: number;
  diskFiles: number;
  /** The same for the container's own file system, where a set-up writes. */
  layerBytes: number;
  /** A container ends by itself after this, whatever becomes of the process that started it. */
  lifeSeconds: number;
  /** A command that prints more than this is stopped: `output-limit`. */
  carriedBytes: number;
  /** Of what was carried, this much of the beginning and as much of the end are kept and spilled. */
  keptBytes: number;
  /** Whole outputs that stay readable in a container; older ones are removed. */
  spills: number;
}

export const DEFAULT_LIMITS: SandboxLimits = {
  memoryBytes: 2048 * MiB,
  cpus: 2,
  pids: 512,
  tmpBytes: 512 * MiB,
  openFiles: 16_384,
  diskBytes: 5e9,
  diskFiles: 300_000,
  layerBytes: 20e9,
  lifeSeconds: 3 * 3600,
  carriedBytes: 32 * MiB,
  keptBytes: 4 * MiB,
  spills: 8,
};

/** Characters of an output that are shown where the caller does not say (ACQUIRE's agents see 10,000). */
export const SHOWN_CHARACTERS = 10_000;
