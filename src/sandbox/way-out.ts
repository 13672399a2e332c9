import type Docker from 'dockerode';
import type { SandboxSpec } from '../domain/ports/sandbox-host.ts';
import type { SetUpNetwork } from '../domain/set-up-access.ts';
import type { KernelOptions } from './container-options.ts';
import { engineFailure, saysGone } from './engine-errors.ts';
import type { SandboxLimits } from './limits.ts';
import { checkForwarder, forwarderFailure, forwarderOptions, PROXY_VARIABLES } from './set-up-forwarder.ts';
import { startSetUpProxy } from './set-up-proxy.ts';

/** How a container reaches a network, if it does. */
export interface WayOut {
  /** In the engine's words. */
  network: string;
  /** By which programs find the way. */
  variables: Record<string, string>;
  refusals?(): string[];
  /** @throws SandboxError where the container does not find it. */
  check?(container: Docker.Container): Promise<void>;
  close(): Promise<void>;
}

export interface WayOutOptions {
  network: SetUpNetwork;
  /** What the forwarder runs in; the repository has no say in it. */
  image: string;
  /** A folder on a file system that the engine can see. */
  folder: string;
  limits: SandboxLimits;
  kernel: KernelOptions;
}

/** Makes what a set-up reaches the network through. @throws SandboxError */
export async function openWayOut(engine: Docker, spec: SandboxSpec, options: WayOutOptions): Promise<WayOut> {
  const { mode } = options.network;
  if (mode !== 'proxied')
    return { network: mode === 'open' ? 'default' : 'none', variables: {}, close: async () => {} };
  const proxy = await startSetUpProxy(options.network, options.folder);
  try {
    const forwarder = await startForwarder(engine, spec, options, proxy);
    return {
      network: `container:${forwarder.id}`,
      variables: PROXY_VARIABLES,
      refusals: proxy.refused,
      check: checkForwarder,
      close: async () => {
        await proxy.close();
        await forwarder.remove({ force: true, v: true }).catch((error: unknown) => {
          if (!saysGone(error)) throw engineFailure("cannot remove a set-up's way out", error);
        });
      },
    };
  } catch (error) {
    await proxy.close();
    throw error;
  }
}

async function startForwarder(
  engine: Docker,
  spec: SandboxSpec,
  { image, limits, kernel }: WayOutOptions,
  proxy: { folder: string },
): Promise<Docker.Container> {
  let container: Docker.Container | undefined;
  try {
    container = await engine.createContainer(forwarderOptions(spec, image, proxy, limits, kernel));
    await container.start();
    return container;
  } catch (error) {
    await container?.remove({ force: true, v: true }).catch(() => undefined);
    throw forwarderFailure(image, engineFailure('its container does not start', error));
  }
}
