import { FathomError } from '../domain/errors.ts';
import type { EngineReport, SandboxHost } from '../domain/ports/sandbox-host.ts';

type Problem = EngineReport['problems'][number];

const SECONDS = 60;
/** What every agent does first. gVisor of 2022 refuses it to coreutils 9: statx(2) with AT_NO_AUTOMOUNT. */
const LOOK = 'ls / >/dev/null';

/**
 * Starts a container as set-ups have it and looks around in it: an engine may know a runtime that starts nothing, that
 * finds no way to the set-ups' proxy, or in which programs of the image fail. Never throws.
 */
export async function tryRuntime(host: Pick<SandboxHost, 'start'>, image: string): Promise<Problem[]> {
  const signal = AbortSignal.timeout(2 * SECONDS * 1000);
  const spec = { run: 'doctor', purpose: 'trial', image, workdir: '/', network: 'setup' } as const;
  try {
    const sandbox = await host.start({ ...spec, mounts: [] }, signal);
    try {
      const { exitCode, output } = await sandbox.exec(LOOK, { seconds: SECONDS }, signal);
      if (exitCode === 0) return [];
      const message = `programs of the image do not run with this container runtime: ${output.trim().slice(0, 200)}`;
      return [{ message, remedy: 'Take a newer version of the runtime.', fatal: true }];
    } finally {
      await sandbox.remove();
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const remedy = error instanceof FathomError ? error.remedy : "Look at the engine's own log.";
    return [{ message, remedy: remedy ?? "Look at the engine's own log.", fatal: true }];
  }
}
