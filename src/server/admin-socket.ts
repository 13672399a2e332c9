import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { EnvironmentError, FathomError, InputError } from '../domain/errors.ts';
import type { Operations } from '../jobs/operations.ts';
import type { JobsLog } from '../jobs/worker-ports.ts';

/** Longer paths do not fit into a socket's address (`sun_path`, with its closing zero). */
const LONGEST_PATH = 103;
const MOST_LISTED = 500;
const CLOSE_MS = 1000;

/** Where a running server is spoken to. @throws InputError when the folder's path is too long for a socket. */
export function adminSocketPath(dataDir: string): string {
  const path = join(dataDir, 'admin.sock');
  if (Buffer.byteLength(path) <= LONGEST_PATH) return path;
  const remedy = `Set FATHOM_DATA to a folder with a path of at most ${LONGEST_PATH - 11} bytes.`;
  throw new InputError([{ source: 'FATHOM_DATA', message: 'is too long for a socket in it', remedy }]);
}

/**
 * HTTP with JSON on a socket that only this user can open: `GET /runs`, `GET /runs/ID`, `POST /runs/ID/stop|retry`.
 * Gives the function that closes it. @throws EnvironmentError when another server listens there.
 */
export async function openAdminSocket(
  dataDir: string,
  operations: Operations,
  log: JobsLog,
): Promise<() => Promise<void>> {
  const path = adminSocketPath(dataDir);
  if (await answers(path)) {
    const remedy = 'Give each process a data directory of its own with FATHOM_DATA.';
    throw new EnvironmentError('admin-socket', `another server listens on ${path}`, remedy);
  }
  await makeRoom(dataDir, path);
  const server = createServer((request, response) => {
    serve(operations, request, response).catch((err) => {
      log.error({ err }, 'admin request failed');
      reply(response, 500, { message: 'failed; see the log of the server', remedy: '' });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(unusable(path, cause)));
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  return () => close(server);
}

/** Nobody keeps the server from its end by a request that never becomes whole. */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const limit = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  await closed;
  clearTimeout(limit);
}

async function makeRoom(dataDir: string, path: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await rm(path, { force: true });
  } catch (cause) {
    throw unusable(path, cause);
  }
}

function unusable(path: string, cause: unknown): EnvironmentError {
  const remedy = 'Set FATHOM_DATA to a folder that this user can write to, on a file system that has sockets.';
  return new EnvironmentError('admin-socket', `cannot listen on ${path}`, remedy, { cause });
}

/** A socket that a killed process left behind refuses; one that is in use answers. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (alive: boolean) => {
      socket.destroy();
      resolve(alive);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

async function serve(operations: Operations, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const result = await act(operations, request);
    if (result === undefined) return reply(response, 404, { message: 'no such thing', remedy: '' });
    reply(response, 200, result);
  } catch (error) {
    if (!(error instanceof FathomError)) throw error;
    const { message, remedy } = error;
    if (error instanceof InputError) return reply(response, 400, { message, remedy, problems: error.problems });
    reply(response, 503, { message, remedy });
  }
}

async function act(operations: Operations, request: IncomingMessage): Promise<unknown> {
  const url = URL.parse(request.url ?? '/', 'http://fathom');
  if (url === null) return undefined;
  const [, runs, id, verb] = url.pathname.split('/');
  if (runs !== 'runs') return undefined;
  if (request.method === 'GET' && id === undefined) {
    const limit = Number(url.searchParams.get('limit') ?? 30);
    return operations.list(Number.isInteger(limit) && limit > 0 ? Math.min(limit, MOST_LISTED) : 30);
  }
  if (id === undefined) return undefined;
  if (request.method === 'GET' && verb === undefined) return operations.show(id);
  if (request.method !== 'POST') return undefined;
  if (verb === 'stop') return operations.stop(id);
  return verb === 'retry' ? operations.retry(id) : undefined;
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
