import { basename } from 'node:path';
import type { SandboxLimits } from './limits.ts';

/** What `docker info` says of the programs that run containers. */
export interface Runtimes {
  DefaultRuntime?: string;
  /** By name. */
  Runtimes?: Record<string, { path?: string }>;
}

/**
 * For each process of a container, gVisor has several threads on the host, and the engine's limit counts those. Seen with
 * ptrace: about 240 at first and 8 for each process, which do not all end with it; at the limit the container is lost.
 */
const THREADS_OF_A_PROCESS = 16;

/** Whether containers run with gVisor: by the program behind the name that was chosen, or behind the engine's default. */
export function isGVisor({ DefaultRuntime, Runtimes }: Runtimes, chosen: string | undefined): boolean {
  const name = chosen ?? DefaultRuntime ?? '';
  return [name, basename(Runtimes?.[name]?.path ?? '')].some((one) => /^(io\.containerd\.)?runsc\b/.test(one));
}

/** A limit under which the wanted number of processes can be reached. */
export const limitsUnderGVisor = (limits: SandboxLimits): SandboxLimits => ({
  ...limits,
  pids: limits.pids * THREADS_OF_A_PROCESS,
});

/**
 * What the container between a set-up and the network runs with: our own program, which opens a socket of the host. gVisor
 * would not let it, so that beside any chosen runtime it has the engine's usual one.
 */
export function forwarderRuntime(engine: Runtimes, chosen: string | undefined): string | undefined {
  if (chosen === undefined && !isGVisor(engine, chosen)) return undefined;
  return Object.hasOwn(engine.Runtimes ?? {}, 'runc') ? 'runc' : chosen;
}
