import type Docker from 'dockerode';
import { FathomError } from '../domain/errors.ts';
import type { ExecOptions, ExecResult, Sandbox, SandboxSpec } from '../domain/ports/sandbox-host.ts';
import { CommandRun, type FinishedCommand } from './command-run.ts';
import { ContainerFiles } from './container-files.ts';
import { saveContainer } from './container-image.ts';
import { ContainerProcesses } from './container-processes.ts';
import type { DiskWatch } from './disk-watch.ts';
import { containerFailure, engineFailure, saysGone } from './engine-errors.ts';
import { type SandboxLimits, SHOWN_CHARACTERS } from './limits.ts';
import { Sequence } from './sequence.ts';
import { cancellation } from './stop-watch.ts';
import type { WayOut } from './way-out.ts';

/** One container of an agent or a proof. Its methods take turns, since ending a command ends all of them. */
export class DockerSandbox implements Sandbox {
  readonly #container: Docker.Container;
  readonly #spec: SandboxSpec;
  readonly #limits: SandboxLimits;
  readonly #processes: ContainerProcesses;
  readonly #files: ContainerFiles;
  readonly #sequence = new Sequence();
  readonly #disk: DiskWatch[];
  readonly #wayOut: WayOut | undefined;
  /** Undefined where nothing stands between the container and a network, or where it has none. */
  readonly refusals?: () => string[];

  constructor(
    container: Docker.Container,
    spec: SandboxSpec,
    limits: SandboxLimits,
    more: { disk?: DiskWatch[]; wayOut?: WayOut | undefined } = {},
  ) {
    this.#container = container;
    this.#spec = spec;
    this.#limits = limits;
    this.#wayOut = more.wayOut;
    this.#disk = more.disk ?? [];
    if (more.wayOut?.refusals !== undefined) this.refusals = more.wayOut.refusals;
    this.#processes = new ContainerProcesses(container, limits.pids);
    this.#files = new ContainerFiles(container, limits);
  }

  get id(): string {
    return this.#container.id;
  }

  exec(command: string, options: ExecOptions, signal: AbortSignal): Promise<ExecResult> {
    return this.#using('a command failed to run', async () => {
      if (signal.aborted) throw cancellation(signal);
      if (command.includes('\0')) return refused('bash: a command cannot contain a NUL character\n');
      const env = { ...options.env, ...this.#wayOut?.variables };
      const placed = { cwd: this.#spec.workdir, ...options, env };
      const run = new CommandRun(this.#container, this.#processes, this.#limits, command, placed);
      return this.#result(await run.finish(signal, this.#disk), options);
    });
  }

  readFile(path: string, limit: number): Promise<Buffer | undefined> {
    return this.#using(`cannot read ${path}`, () => this.#files.read(path, limit));
  }

  saveAs(image: string): Promise<void> {
    return this.#using(`cannot keep the container as ${image}`, () => saveContainer(this.#container, image));
  }

  async remove(): Promise<void> {
    try {
      await this.#container.remove({ force: true, v: true });
    } catch (error) {
      if (!saysGone(error)) throw engineFailure('cannot remove the container', error);
    } finally {
      await this.#wayOut?.close();
    }
  }

  async #result({ output, grown, ...end }: FinishedCommand, options: ExecOptions): Promise<ExecResult> {
    if (grown !== undefined) output.push(Buffer.from(hintAbout(grown)));
    const characters = options.shownCharacters ?? SHOWN_CHARACTERS;
    const size = { totalBytes: output.totalBytes, undecodableBytes: output.undecodableBytes };
    const whole = output.shown(characters);
    if (!whole.elided) return { ...end, ...size, output: whole.text, elidedLines: 0 };
    const spillPath = await this.#files.spill(output.kept());
    const { text, elidedLines } = output.shown(characters, spillPath);
    return { ...end, ...size, output: text, elidedLines, ...(spillPath === undefined ? {} : { spillPath }) };
  }

  #using<T>(what: string, work: () => Promise<T>): Promise<T> {
    return this.#sequence.run(async () => {
      try {
        return await work();
      } catch (error) {
        throw error instanceof FathomError ? error : await containerFailure(this.#container, what, error);
      }
    });
  }
}

/** Part of the output, since whoever ran the command reads that. */
const hintAbout = (grown: string): string =>
  `\n[stopped: ${grown}, which is all that there is for it. Remove what is not needed; write less, or write to /tmp.]\n`;

/** What bash itself answers to what it cannot run. */
const refused = (output: string): ExecResult => ({
  exitCode: 126,
  ending: 'exited',
  output,
  totalBytes: output.length,
  elidedLines: 0,
  undecodableBytes: 0,
  leftRunning: [],
  seconds: 0,
});
