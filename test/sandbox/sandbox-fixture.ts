import type { ExecOptions, ExecResult, Sandbox, SandboxSpec } from '../../src/domain/ports/sandbox-host.ts';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';

export const host = createDockerHost({ limits: { memoryBytes: 512 * 2 ** 20, pids: 128, tmpBytes: 64 * 2 ** 20 } });

export const never = new AbortController().signal;

export const specFor = (run: string, extra: Partial<SandboxSpec> = {}): SandboxSpec => ({
  run,
  purpose: 'test',
  image: SANDBOX_IMAGE,
  mounts: [],
  workdir: '/tmp',
  network: 'none',
  ...extra,
});

/** Runs a command that is expected to end soon. */
export const run = (sandbox: Sandbox, command: string, options: Partial<ExecOptions> = {}): Promise<ExecResult> =>
  sandbox.exec(command, { seconds: 60, ...options }, never);

/** Command lines of everything that commands have left in the container. */
export async function leftovers(sandbox: Sandbox): Promise<string[]> {
  const listing = `ps -eo uid,pid,args --no-headers | awk -v me=$$ '$1 == 65534 && $0 !~ /fathom-command|ps -eo|awk -v/'`;
  const { output } = await run(sandbox, listing);
  return output.split('\n').filter((line) => line !== '');
}
