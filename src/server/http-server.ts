import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { EnvironmentError } from '../domain/errors.ts';
import type { WebhookHandler } from '../github/webhooks/webhook-handler.ts';
import type { JobsLog } from '../jobs/worker-ports.ts';
import type { Metrics } from './metrics.ts';

export interface HttpServerParts {
  webhook: WebhookHandler;
  /** Why no work is taken: while the process starts, drains, or has lost its database. Undefined when it is taken. */
  waitsFor(): Promise<string | undefined>;
  /** Undefined while there are none yet. */
  metrics(): Pick<Metrics, 'text' | 'contentType'> | undefined;
  /** What a scraper has to send as a bearer token; without one the metrics are open to whoever reaches the port. */
  metricsToken: string | undefined;
  log: JobsLog;
}

export interface HttpServer {
  /** Gives the port. @throws EnvironmentError when it cannot be had. */
  listen(host: string, port: number): Promise<number>;
  /** Answers what has begun, and takes nothing more. */
  close(): Promise<void>;
}

const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const CLOSE_MS = 5_000;

const headers = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** Deliveries, `/healthz`, `/readyz` and `/metrics`; nothing else is there. */
export function createHttpServer(parts: HttpServerParts): HttpServer {
  const limits = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, maxHeaderSize: 16 * 1024 };
  const server = createServer(limits, (request, response) => {
    route(parts, request, response).catch((err) => {
      parts.log.error({ err }, 'request failed');
      if (!response.headersSent) say(response, 500, 'error');
      else response.destroy();
    });
  });
  return {
    listen: (host, port) => listen(server, host, port),
    close: () => close(server),
  };
}

async function route(parts: HttpServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (await parts.webhook(request, response)) return;
  // Nothing else takes a body: what comes with one is not read.
  if (request.method !== 'GET' && request.method !== 'HEAD') return say(response, 405, 'only GET', true);
  const path = (request.url ?? '/').split('?', 1)[0];
  if (path === '/healthz') return say(response, 200, 'ok');
  if (path === '/readyz') {
    const reason = await parts.waitsFor();
    return reason === undefined ? say(response, 200, 'ready') : say(response, 503, `not ready: ${reason}`);
  }
  if (path === '/metrics') return showMetrics(parts, request, response);
  return say(response, 404, 'not found');
}

async function showMetrics(
  { metrics, metricsToken }: HttpServerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (metricsToken !== undefined && !bears(request, metricsToken)) {
    response.setHeader('www-authenticate', 'Bearer');
    return say(response, 401, 'unauthorized');
  }
  const shown = metrics();
  if (shown === undefined) return say(response, 503, 'not ready');
  const text = await shown.text();
  response.writeHead(200, { 'content-type': shown.contentType }).end(text);
}

function bears(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function say(response: ServerResponse, status: number, word: string, close = false): void {
  if (close) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${word}\n`);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const remedy =
        'See whether another Fathom runs here; else set HOST and PORT to an address of this machine that nobody uses.';
      reject(new EnvironmentError('listen', `cannot listen on ${host}:${port}`, remedy, { cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const limit = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  await closed;
  clearTimeout(limit);
}
