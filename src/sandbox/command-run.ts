import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { SandboxError } from '../domain/errors.ts';
import type { ExecOptions, ExecResult } from '../domain/ports/sandbox-host.ts';
import { CommandOutput } from './command-output.ts';
import { isShellOf, readWrapperWords, wrapCommand } from './command-wrapper.ts';
import { assignments, COMMAND_USER, ROOT_USER } from './container-options.ts';
import type { ContainerProcesses } from './container-processes.ts';
import type { DiskWatch } from './disk-watch.ts';
import { lostContainer } from './engine-errors.ts';
import { type RunningCommand, startInContainer } from './engine-exec.ts';
import type { SandboxLimits } from './limits.ts';
import { cancellation, type StopReason, StopWatch } from './stop-watch.ts';

/** How a command came to its end, and what it printed. */
export interface FinishedCommand extends Pick<ExecResult, 'exitCode' | 'ending' | 'leftRunning' | 'seconds'> {
  output: CommandOutput;
  /** What had grown beyond its limit, in words. */
  grown?: string;
}

/** Ending every process takes a quarter of this when all goes wrong. */
const GIVE_UP_MS = 60_000;
const CHANNEL_BYTES = 16_384;
const LEFT_RUNNING_SHOWN = 20;
const LEFT_RUNNING_CHARACTERS = 200;

/** One command in a container: started, watched, brought to an end, and nothing of it left behind. */
export class CommandRun {
  readonly #container: Docker.Container;
  readonly #processes: ContainerProcesses;
  readonly #limits: SandboxLimits;
  readonly #command: string;
  readonly #options: ExecOptions & { cwd: string };
  readonly #output: CommandOutput;
  #channel: Buffer = Buffer.alloc(0);
  #carriedBytes = 0;
  #grown: string | undefined;

  constructor(
    container: Docker.Container,
    processes: ContainerProcesses,
    limits: SandboxLimits,
    command: string,
    options: ExecOptions & { cwd: string },
  ) {
    this.#container = container;
    this.#processes = processes;
    this.#limits = limits;
    this.#command = command;
    this.#options = options;
    this.#output = new CommandOutput(limits.keptBytes);
  }

  /** @throws CancelledError after the processes are gone, SandboxError, and the engine's errors as they come. */
  async finish(signal: AbortSignal, disk: DiskWatch[] = []): Promise<FinishedCommand> {
    const watch = new StopWatch(this.#options.seconds, signal);
    const unwatch = disk.map((one) =>
      one.watch((grown) => {
        this.#grown ??= grown;
        watch.stop('disk-limit');
      }),
    );
    try {
      return await Promise.race([this.#watched(watch, signal), this.#givenUp(watch)]);
    } finally {
      for (const end of unwatch) end();
      watch.dispose();
    }
  }

  async #watched(watch: StopWatch, signal: AbortSignal): Promise<FinishedCommand> {
    const startedAt = performance.now();
    const running = await this.#start(watch);
    const reason = await Promise.race([running.ended.then(() => undefined), watch.reason]);
    const end = reason === undefined ? await this.#afterItsEnd(running) : await this.#stop(running, reason);
    if (reason === 'cancelled') throw cancellation(signal);
    const seconds = (performance.now() - startedAt) / 1000;
    const grown = reason === 'disk-limit' && this.#grown !== undefined ? { grown: this.#grown } : {};
    return { ...end, ending: reason ?? 'exited', output: this.#output, seconds, ...grown };
  }

  /** An engine that hangs may not hold a command beyond its limit. */
  async #givenUp(watch: StopWatch): Promise<never> {
    await watch.reason;
    await sleep(GIVE_UP_MS, undefined, { ref: false });
    throw lostContainer(this.#container.id, new Error('the engine does not answer'));
  }

  get #user(): string {
    return this.#options.root === true ? ROOT_USER : COMMAND_USER;
  }

  #start(watch: StopWatch): Promise<RunningCommand> {
    const home = this.#options.root === true ? { HOME: '/root' } : {};
    return startInContainer(this.#container, {
      ...wrapCommand(this.#command, this.#options.cwd),
      user: this.#user,
      env: assignments({ ...home, ...this.#options.env }),
      receive: (stream, bytes) => {
        this.#receive(stream, bytes);
        if (this.#carriedBytes >= this.#limits.carriedBytes) watch.stop('output-limit');
      },
    });
  }

  #receive(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    const room = this.#limits.carriedBytes - this.#carriedBytes;
    this.#carriedBytes += bytes.length;
    if (stream === 'stdout') this.#output.push(bytes.subarray(0, Math.max(0, room)));
    else if (this.#channel.length < CHANNEL_BYTES) this.#channel = Buffer.concat([this.#channel, bytes]);
  }

  async #afterItsEnd(running: RunningCommand): Promise<{ exitCode: number; leftRunning: string[] }> {
    const [exitCode, others] = await Promise.all([running.exitCode(), this.#processes.others()]);
    const words = readWrapperWords(this.#channel);
    const survivors = others ?? [];
    const suspicious = others === undefined && !words.cleanedUp;
    const unfit = !words.cleanedUp && (exitCode === 126 || exitCode === 127);
    if (survivors.length > 0 || suspicious || exitCode === undefined) {
      // Where no command can be started, none can end the others either, and the container is gone by then.
      await this.#processes.killAll(this.#user).catch((error: unknown) => {
        throw unfit ? this.#couldNotStart() : error;
      });
    }
    if (exitCode === undefined) throw lostContainer(this.#container.id, new Error('the engine cut the connection'));
    if (unfit) throw this.#couldNotStart();
    return { exitCode, leftRunning: presentable([...words.leftRunning, ...survivors]) };
  }

  /**
   * A stream is closed or read on, and never held: the engine waits for its reader, and with it everything else that is
   * asked of the container.
   */
  async #stop(running: RunningCommand, reason: StopReason): Promise<{ exitCode: null; leftRunning: string[] }> {
    if (reason === 'output-limit') running.close();
    const others = (await this.#processes.others()) ?? [];
    await this.#processes.killAll(this.#user);
    running.close();
    return { exitCode: null, leftRunning: presentable(others.filter((line) => !isShellOf(this.#command, line))) };
  }

  /** The engine's container runtime reports such faults as output, with code 126 or 127. */
  #couldNotStart(): SandboxError {
    const { text } = this.#output.shown(600);
    return new SandboxError(
      `no command can be started in the container: ${text.trim()}`,
      'The image needs bash and a Linux userland; see scripts/sandbox-image/Dockerfile.',
    );
  }
}

const presentable = (lines: string[]): string[] =>
  lines.slice(0, LEFT_RUNNING_SHOWN).map((line) => line.slice(0, LEFT_RUNNING_CHARACTERS));
