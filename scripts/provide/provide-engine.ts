import { SandboxError } from '../../src/domain/errors.ts';
import type { EngineReport } from '../../src/domain/ports/sandbox-host.ts';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';
import { type Console, terminal } from './console.ts';
import { installMissing, isDebianLike, isHere, mayInstall } from './debian.ts';
import { startEngine } from './start-engine.ts';

/**
 * Sees to it that a Docker Engine answers. Where none does, on Debian, as root, with no engine configured elsewhere, it
 * installs and starts one.
 * @throws SandboxError with one remedy where that may not be or does not work, EnvironmentError from the installation.
 */
export async function provideEngine(console: Console = terminal): Promise<void> {
  const report = await askEngine();
  if (report.reachable) return;
  if (process.env['DOCKER_HOST']) throw notProvided(report, 'Start the engine that DOCKER_HOST names, or unset it.');
  if (!(await mayInstall())) throw notProvided(report, await remedyHere(report));
  const question = 'No Docker Engine answers. Install docker.io with apt-get where it is missing, and start it?';
  if (!(await console.agrees(question))) throw notProvided(report, 'Start a Docker Engine, and try again.');
  // The engine lists a container's processes with the machine's own ps.
  await installMissing({ dockerd: 'docker.io', ps: 'procps' }, console);
  if ((await askEngine()).reachable) return;
  await startEngine(console, async () => (await askEngine()).reachable);
}

const askEngine = (): Promise<EngineReport> => createDockerHost().inspect(SANDBOX_IMAGE);

function notProvided(report: EngineReport, remedy: string): SandboxError {
  return new SandboxError(report.problems[0]?.message ?? 'no Docker Engine answers', remedy);
}

async function remedyHere(report: EngineReport): Promise<string> {
  if (process.platform !== 'linux') return 'Install and start Docker Desktop, and try again.';
  if (!(await isDebianLike())) return 'Install and start the Docker Engine (https://docs.docker.com/engine/install/).';
  if (!(await isHere('dockerd'))) return 'Install the Docker Engine: sudo apt-get install docker.io';
  return report.problems[0]?.remedy ?? 'Start the Docker Engine.';
}
