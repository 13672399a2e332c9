import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxError } from '../../src/domain/errors.ts';
import type { Console } from './console.ts';
import { runProgram } from './run-program.ts';

const ENGINE = 'dockerd';
const LOG = '/var/log/dockerd.log';
const WAIT_SECONDS = 60;
/** Containers of agents have no network, so that an engine on a machine without packet filters is good enough. */
const WITHOUT_NETWORK = ['--iptables=false', '--ip6tables=false', '--bridge=none'];

/**
 * Starts the engine that is installed here, and waits until it answers: as the service that it is where systemd runs,
 * and else in the background. @throws SandboxError with the end of its log.
 */
export async function startEngine(console: Console, answers: () => Promise<boolean>): Promise<void> {
  console.say('starting the Docker Engine');
  if (existsSync('/run/systemd/system')) {
    await runProgram('systemctl', ['start', 'docker'], 'Look at `journalctl -u docker`.');
    if (await answersInTime(answers, () => true)) return;
    throw await didNotStart();
  }
  for (const options of [[], WITHOUT_NETWORK]) {
    await removeStalePidFiles();
    const isAlive = await launch(options);
    if (await answersInTime(answers, isAlive)) return;
  }
  throw await didNotStart();
}

/** Gives a function that says whether it still runs. */
async function launch(options: string[]): Promise<() => boolean> {
  await mkdir('/var/log', { recursive: true });
  const log = openSync(LOG, 'a');
  const engine = spawn(ENGINE, options, { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  let alive = true;
  const end = () => {
    alive = false;
  };
  engine.once('exit', end).once('error', end);
  engine.unref();
  return () => alive;
}

async function answersInTime(answers: () => Promise<boolean>, isAlive: () => boolean): Promise<boolean> {
  const until = performance.now() + WAIT_SECONDS * 1000;
  while (performance.now() < until && isAlive()) {
    if (await answers()) return true;
    await sleep(250);
  }
  return answers();
}

/** After a crash their numbers may belong to other processes by now, and the engine would take those for itself. */
async function removeStalePidFiles(): Promise<void> {
  await removeUnless(ENGINE, '/var/run/docker.pid');
  await removeUnless('containerd', '/var/run/docker/containerd/containerd.pid');
}

async function removeUnless(program: string, pidFile: string): Promise<void> {
  const pid = (await readFile(pidFile, 'utf8').catch(() => '')).trim();
  if (pid === '') return;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (name.trim() !== program) await rm(pidFile, { force: true });
}

async function didNotStart(): Promise<SandboxError> {
  const log = await readFile(LOG, 'utf8').catch(() => '');
  const end = log.trim().split('\n').slice(-5).join('\n');
  return new SandboxError(
    `the Docker Engine does not start here:\n${end}`.trim(),
    `Look at ${LOG}, or set DOCKER_HOST to an engine elsewhere. An engine needs root with all capabilities on its machine.`,
  );
}
