import { tmpdir } from 'node:os';
import type Docker from 'dockerode';
import type { Logger } from 'pino';
import { FathomError, SandboxError } from '../domain/errors.ts';
import type { EngineReport, Sandbox, SandboxHost, SandboxSpec } from '../domain/ports/sandbox-host.ts';
import type { SetUpNetwork } from '../domain/set-up-access.ts';
import { COMMAND_USER, containerOptions, type KernelOptions, OWNER_LABEL, RUN_LABEL } from './container-options.ts';
import { DockerSandbox } from './docker-sandbox.ts';
import { connectEngine, type EngineAddress } from './engine-client.ts';
import { engineFailure, statusOf } from './engine-errors.ts';
import { digestOf, type EngineTraits, engineTraits, inspectEngine, userOnHost } from './engine-report.ts';
import { limitsUnderGVisor } from './gvisor.ts';
import { keptImageBytes, markImageUsed, pruneKeptImages } from './kept-images.ts';
import { DEFAULT_LIMITS, type SandboxLimits } from './limits.ts';
import { SANDBOX_IMAGE } from './sandbox-image.ts';
import { cancellation } from './stop-watch.ts';
import { runsOnEngine, sweepEngine } from './sweep.ts';
import { tryRuntime } from './try-runtime.ts';
import { watchDisk } from './watched-places.ts';
import { openWayOut, type WayOut, type WayOutOptions } from './way-out.ts';

export interface DockerHostOptions extends EngineAddress {
  log?: Logger;
  limits?: Partial<SandboxLimits>;
  /** Names whoever makes containers here, on their label; absent: they belong to nobody in particular. */
  owner?: string;
  /** The engine's name for what runs containers, as `runsc`; absent for the engine's default. */
  runtime?: string;
  /** What set-ups reach; absent: public addresses. */
  network?: SetUpNetwork;
  /** What stands between set-ups and the network runs in this image; absent: the sandbox image. */
  image?: string;
  /** Where sockets are made; a folder that the engine can see. */
  folder?: string;
}

/**
 * Sandboxes on a Docker Engine (API 1.41 or newer: Docker 20.10). Connects when it is first used. Containers have no
 * capability, no way to new privileges, a root file system that cannot be written, and limits on memory, processes,
 * processor, time and output; commands in them run as a user who owns nothing.
 * @param options Where the engine is (absent: as the docker command line finds it), and what a container may use.
 * @throws InputError for an address that is none.
 */
export function createDockerHost(options: DockerHostOptions = {}): SandboxHost {
  return new DockerHost(connectEngine(options), options);
}

class DockerHost implements SandboxHost {
  readonly #engine: Docker;
  readonly #limits: SandboxLimits;
  readonly #log: Logger | undefined;
  readonly #runtime: string | undefined;
  readonly #owner: string | undefined;
  readonly #setUp: Pick<WayOutOptions, 'network' | 'image' | 'folder'>;
  #traits: EngineTraits | undefined;

  constructor(engine: Docker, { limits, log, runtime, owner, network, image, folder }: DockerHostOptions) {
    this.#engine = engine;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#log = log;
    this.#runtime = runtime;
    this.#owner = owner;
    this.#setUp = { network: network ?? PUBLIC, image: image ?? SANDBOX_IMAGE, folder: folder ?? tmpdir() };
  }

  async start(spec: SandboxSpec, signal: AbortSignal): Promise<Sandbox> {
    if (signal.aborted) throw cancellation(signal);
    const traits = await this.#engineFor(spec);
    const kernel = { seccomp: traits.seccomp, runtime: this.#runtime, owner: this.#owner };
    const limits = traits.gVisor ? limitsUnderGVisor(this.#limits) : this.#limits;
    const wayOut = spec.network === 'setup' ? await this.#wayOut(spec, traits) : undefined;
    let container: Docker.Container | undefined;
    try {
      container = await this.#create(spec, limits, { ...kernel, network: wayOut?.network });
      await container.start();
      if (traits.forwarderRuntime !== undefined) await wayOut?.check?.(container);
      if (signal.aborted) throw cancellation(signal);
      this.#log?.debug({ container: container.id, run: spec.run, purpose: spec.purpose }, 'container started');
      const disk = await watchDisk(container, spec, limits, traits.folder);
      return new DockerSandbox(container, spec, limits, { disk, wayOut });
    } catch (error) {
      await container?.remove({ force: true, v: true }).catch(() => undefined);
      await wayOut?.close().catch(() => undefined);
      if (error instanceof FathomError) throw error;
      throw engineFailure(`the container for ${spec.purpose} does not start`, error);
    }
  }

  async inspect(image: string): Promise<EngineReport> {
    const report = await inspectEngine(this.#engine, image, this.#runtime);
    const unusual = this.#runtime !== undefined || report.gVisor === true;
    if (!unusual || !report.reachable || report.problems.some(({ fatal }) => fatal)) return report;
    return { ...report, problems: [...report.problems, ...(await tryRuntime(this, image))] };
  }

  userOnHost(): Promise<number | undefined> {
    // Ranking needs no engine; whoever needs one learns soon enough that there is none.
    return userOnHost(this.#engine, Number.parseInt(COMMAND_USER, 10)).catch(() => undefined);
  }

  async imageDigest(image: string): Promise<string | undefined> {
    try {
      return await digestOf(this.#engine, image);
    } catch (error) {
      throw engineFailure(`cannot look up the image ${image}`, error);
    }
  }

  async markUsed(image: string): Promise<void> {
    try {
      await markImageUsed(this.#engine, image);
    } catch (error) {
      throw engineFailure(`cannot note that the image ${image} is used`, error);
    }
  }

  async pruneImages(name: string, limits: { bytes: number; idleSeconds: number }): Promise<number> {
    try {
      const removed = await pruneKeptImages(this.#engine, name, limits);
      if (removed > 0) this.#log?.info({ name, removed }, 'prepared images removed');
      return removed;
    } catch (error) {
      throw engineFailure(`cannot remove images named ${name}`, error);
    }
  }

  async imageBytes(name: string): Promise<number> {
    try {
      return await keptImageBytes(this.#engine, name);
    } catch (error) {
      throw engineFailure(`cannot look at images named ${name}`, error);
    }
  }

  async running(): Promise<number> {
    const label = this.#owner === undefined ? RUN_LABEL : `${OWNER_LABEL}=${this.#owner}`;
    try {
      return (await this.#engine.listContainers({ filters: { label: [label], status: ['running'] } })).length;
    } catch (error) {
      throw engineFailure('cannot count containers', error);
    }
  }

  async runs(): Promise<string[]> {
    try {
      return await runsOnEngine(this.#engine);
    } catch (error) {
      throw engineFailure('cannot look for leftover containers and volumes', error);
    }
  }

  async sweep(run?: string): Promise<number> {
    try {
      const removed = await sweepEngine(this.#engine, run);
      if (removed > 0) this.#log?.info({ run, removed }, 'leftover containers and volumes removed');
      return removed;
    } catch (error) {
      throw engineFailure('cannot remove leftover containers and volumes', error);
    }
  }

  #wayOut(spec: SandboxSpec, { seccomp, forwarderRuntime: runtime }: EngineTraits): Promise<WayOut> {
    const kernel = { seccomp, runtime, owner: this.#owner };
    return openWayOut(this.#engine, spec, { ...this.#setUp, limits: this.#limits, kernel });
  }

  async #engineFor(spec: SandboxSpec): Promise<EngineTraits> {
    try {
      if (this.#traits === undefined) {
        this.#traits = await engineTraits(this.#engine, this.#runtime);
        for (const missing of this.#traits.unlimited) this.#log?.warn(missing);
      }
      return this.#traits;
    } catch (error) {
      throw engineFailure(`the container for ${spec.purpose} cannot be made`, error);
    }
  }

  async #create(spec: SandboxSpec, limits: SandboxLimits, kernel: KernelOptions): Promise<Docker.Container> {
    try {
      return await this.#engine.createContainer(containerOptions(spec, limits, kernel));
    } catch (error) {
      if (statusOf(error) === 404) throw missingImage(spec.image, error);
      throw engineFailure(`the container for ${spec.purpose} cannot be made`, error);
    }
  }
}

const PUBLIC: SetUpNetwork = { mode: 'proxied' };

const missingImage = (image: string, cause: unknown): SandboxError =>
  new SandboxError(
    `the engine does not have the image ${image}`,
    'Make the sandbox image with `npm run provide`, or pull the image.',
    { cause },
  );
