import Docker from 'dockerode';
import { InputError } from '../domain/errors.ts';

export interface EngineAddress {
  /** Path of the engine's socket. */
  socketPath?: string;
  /** As in `DOCKER_HOST`: `unix:///path`, `tcp://host:port`, `http://…`, `https://…`. */
  host?: string;
}

/**
 * A client of the engine's API. Without an address it looks where the docker command line does: `DOCKER_HOST`, then
 * Docker Desktop's socket, then `/var/run/docker.sock`. Connects to nothing yet.
 * @throws InputError for an address that is none.
 */
export function connectEngine({ socketPath, host }: EngineAddress): Docker {
  const path = socketPath || socketOf(host);
  if (path) return new Docker(overUnixSocket(path));
  return host ? new Docker(overNetwork(host)) : new Docker();
}

/** Names the engine for people. */
export function addressOf(engine: Docker): string {
  const modem = engine.modem as { host?: string; port?: string | number; socketPath?: unknown };
  if (modem.host) return `${modem.host}${modem.port ? `:${modem.port}` : ''}`;
  return typeof modem.socketPath === 'string' ? `unix://${modem.socketPath}` : 'the default socket';
}

const socketOf = (host: string | undefined): string | undefined =>
  host?.startsWith('unix://') ? host.slice('unix://'.length) : undefined;

/** `host` is named so that the client does not let `DOCKER_HOST` win over an address that was given. */
const overUnixSocket = (socketPath: string): Docker.DockerOptions =>
  ({ socketPath, host: undefined }) as unknown as Docker.DockerOptions;

function overNetwork(host: string): Docker.DockerOptions {
  if (!URL.canParse(host)) throw badAddress(host);
  const url = new URL(host);
  if (!['tcp:', 'http:', 'https:'].includes(url.protocol)) throw badAddress(host);
  const secure = url.protocol === 'https:' || url.port === '2376';
  return { host: url.hostname, port: url.port || (secure ? 2376 : 2375), protocol: secure ? 'https' : 'http' };
}

function badAddress(host: string): InputError {
  return new InputError([
    {
      source: 'Docker Engine address',
      message: `"${host}" is not an address of a Docker Engine`,
      remedy: 'Give it as unix:///path/to/docker.sock or tcp://host:port.',
    },
  ]);
}
