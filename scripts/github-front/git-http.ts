import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gitEnvironment } from './git-objects.ts';

export interface GitRequest {
  /** `owner/name`. */
  fullName: string;
  /** What follows `owner/name.git/`. */
  rest: string;
  query: string;
}

const pattern = /^\/([\w.-]+\/[\w.-]+)\.git\/(info\/refs|git-upload-pack|git-receive-pack|HEAD|objects\/[\w./-]+)$/;

export function gitRequestOf(url: URL): GitRequest | undefined {
  const match = pattern.exec(url.pathname);
  if (match === null) return undefined;
  return { fullName: match[1] ?? '', rest: match[2] ?? '', query: url.search.slice(1) };
}

export const isPush = (request: GitRequest): boolean =>
  request.rest === 'git-receive-pack' || request.query.includes('service=git-receive-pack');

/** The token in a Basic header as git sends it for GitHub, or the empty string. */
export function gitToken(authorization: string | undefined): string {
  const decoded = Buffer.from((authorization ?? '').replace(/^basic /i, ''), 'base64').toString();
  return decoded.slice(decoded.indexOf(':') + 1);
}

/**
 * Lets `git http-backend` answer from the bare repositories under `root`. The answer is only complete, and git only goes
 * on, when `afterwards` is done.
 */
export function serveGit(
  root: string,
  request: GitRequest,
  incoming: IncomingMessage,
  response: ServerResponse,
  afterwards: () => Promise<void>,
): Promise<void> {
  const child = spawn('git', ['-c', 'safe.directory=*', 'http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...gitEnvironment(), ...cgiVariables(root, request, incoming) },
  });
  incoming.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  let head: Buffer | undefined = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (head === undefined) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    writeHead(response, head.subarray(0, end).toString());
    response.write(head.subarray(end + 4));
    head = undefined;
  });
  return new Promise((resolve, reject) => {
    child.on('close', () => {
      const ended = afterwards().finally(() => response.end());
      ended.then(resolve, reject);
    });
  });
}

function cgiVariables(root: string, request: GitRequest, incoming: IncomingMessage): Record<string, string> {
  const length = incoming.headers['content-length'];
  return {
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: `/${request.fullName}.git/${request.rest}`,
    REQUEST_METHOD: incoming.method ?? 'GET',
    QUERY_STRING: request.query,
    CONTENT_TYPE: incoming.headers['content-type'] ?? '',
    REMOTE_USER: 'x-access-token',
    REMOTE_ADDR: '127.0.0.1',
    GIT_PROTOCOL: String(incoming.headers['git-protocol'] ?? ''),
    HTTP_CONTENT_ENCODING: incoming.headers['content-encoding'] ?? '',
    ...(length === undefined ? {} : { CONTENT_LENGTH: length }),
  };
}

function writeHead(response: ServerResponse, head: string): void {
  let status = 200;
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}
