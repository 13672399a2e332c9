import type Docker from 'dockerode';
import { SandboxError } from '../domain/errors.ts';

/** HTTP status of the engine's refusal; undefined where there was no answer at all. */
export function statusOf(error: unknown): number | undefined {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : undefined;
}

/** The system's code (`ECONNREFUSED`, `EACCES` …) of a connection that failed. */
function connectionCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** 404 and 409 while a container is used: it is gone, or it no longer runs. */
export const saysGone = (error: unknown): boolean => [404, 409].includes(statusOf(error) ?? 0);

export function remedyFor(error: unknown): string {
  const code = connectionCode(error);
  if (code === 'EACCES')
    return 'Let this user reach the engine (group docker, or a rootless engine), or point DOCKER_HOST at one that it may use.';
  if (code === 'ENOENT' || code === 'ECONNREFUSED')
    return 'Start the Docker Engine, or point DOCKER_HOST at one that runs.';
  if (code !== undefined) return 'Look at the connection to the engine (DOCKER_HOST), and try again.';
  return "Look at the engine's own log, and try again.";
}

/** The engine could not do `what` outside of a running container. */
export function engineFailure(what: string, error: unknown): SandboxError {
  if (error instanceof SandboxError) return error;
  const message = error instanceof Error ? error.message.trim() : String(error);
  return new SandboxError(`${what}: ${message}`, remedyFor(error), { cause: error });
}

/** A container that was running is gone, or its engine is. */
export function lostContainer(id: string, error?: unknown): SandboxError {
  const because = error instanceof Error ? `: ${error.message.trim()}` : '';
  return new SandboxError(
    `the container ${id.slice(0, 12)} is gone${because}`,
    'Start it again. If it happens again, look at the memory and the disk of the engine.',
    { cause: error, lost: true },
  );
}

/**
 * What to make of an error met while a container was being used. While one goes away the engine answers with any
 * status, so that it is asked whether the container still runs.
 */
export async function containerFailure(
  container: Docker.Container,
  what: string,
  error: unknown,
): Promise<SandboxError> {
  if (error instanceof SandboxError) return error;
  const gone = saysGone(error) || !(await isRunning(container));
  return gone ? lostContainer(container.id, error) : engineFailure(what, error);
}

async function isRunning(container: Docker.Container): Promise<boolean> {
  try {
    return (await container.inspect()).State.Running;
  } catch {
    return false;
  }
}
