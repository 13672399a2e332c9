import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface GitServer {
  url: string;
  /** What each request carried as its Authorization header. */
  credentials: (string | undefined)[];
  /** Bytes that were sent. */
  sent: () => number;
}

/** How the first requests are answered. */
export type Refusals = { status: number; headers?: Record<string, string> }[];

/** Serves the repositories below `root` as a code host does, by git's own program; `token` has to be shown when given. */
export async function gitServer(root: string, token?: string, refuse: Refusals = []): Promise<GitServer> {
  const credentials: (string | undefined)[] = [];
  let sent = 0;
  const server = createServer((request, response) => {
    credentials.push(request.headers.authorization);
    const refusal = refuse.shift();
    if (refusal !== undefined) response.writeHead(refusal.status, refusal.headers).end();
    else if (request.url?.startsWith('/moved'))
      response.writeHead(301, { location: 'http://127.0.0.1:9/elsewhere' }).end();
    else if (token !== undefined && request.headers.authorization !== token) response.writeHead(401).end();
    else
      serve(root, request, response, (bytes) => {
        sent += bytes;
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, credentials, sent: () => sent };
}

function serve(root: string, request: IncomingMessage, response: ServerResponse, count: (bytes: number) => void): void {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const env = {
    PATH: process.env['PATH'],
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    PATH_INFO: path,
    QUERY_STRING: query,
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
  };
  const child = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    const headers = output
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ', 2) as [string, string]);
    const status = Number(headers.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200);
    count(output.length - end);
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    response.end(output.subarray(end + 4));
  });
}
