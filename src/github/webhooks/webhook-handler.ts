import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { createNodeMiddleware, Probot, ProbotOctokit } from 'probot';
import { InputError } from '../../domain/errors.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { RunInbox } from '../../domain/ports/run-inbox.ts';
import { type BodyPlace, createBodyRoom } from './body-room.ts';
import { MOST_BYTES, readBody } from './read-body.ts';
import { toInboxEntry, type WebhookRules } from './to-inbox-entry.ts';

export interface WebhookOptions {
  appId: number;
  privateKey: string;
  /** The secret that GitHub signs with. Without one nothing is started: Probot would take a well-known one. */
  secret: string;
  /** Asked at each delivery. */
  rules(): WebhookRules;
  inbox: RunInbox;
  clock: Clock;
  log: Logger;
  /** `/api/github/webhooks` when absent. */
  path?: string;
  /** Bytes; GitHub's own limit when absent. */
  limit?: number;
  /** Told of each entry that is new, once it is stored. Must not throw. */
  onNew?: () => void;
}

/** Answers the request, or says that it is for somebody else. */
export type WebhookHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

const BODY_MS = 9_000;

/**
 * Receives GitHub's webhooks: body bounded, signature checked by Probot, entry stored, then 2xx; the work comes later.
 * No answer holds more than a status and a fixed word, and nothing of Probot's set-up pages is served.
 *
 * @throws InputError without a secret
 */
export async function createWebhookHandler(options: WebhookOptions): Promise<WebhookHandler> {
  const path = options.path ?? '/api/github/webhooks';
  const middleware = await verifier(options, path);
  const room = createBodyRoom();
  const receive = async (request: IncomingMessage, response: ServerResponse, place: BodyPlace): Promise<true> => {
    const body = await readBody(request, options.limit ?? MOST_BYTES, BODY_MS, place);
    if (body === 'no-room') return answer(response, 503, 'not stored, try again', true);
    if (body === 'too-large') return answer(response, 413, 'too large', true);
    if (body === 'cut') return answer(response, 400, 'incomplete', true);
    // Probot takes a body that was read before, and answers through what it is given.
    const read = Object.assign(request, { body: {}, rawBody: new Uint8Array(body) });
    const status = await statusFrom((quiet) => middleware(read, quiet));
    if (status >= 300) options.log.warn({ delivery: request.headers['x-github-delivery'], status }, 'delivery refused');
    return answer(response, status, words[status] ?? (status < 300 ? 'ok' : 'refused'));
  };
  return async (request, response) => {
    if (pathOf(request) !== path) return false;
    if (request.method !== 'POST') return answer(response, 405, 'only POST');
    const place = room.enter();
    return receive(request, response, place).finally(() => place.leave());
  };
}

const words: Record<number, string> = { 400: 'not verified', 415: 'only JSON', 503: 'not stored, try again' };

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

function answer(response: ServerResponse, status: number, word: string, close = false): true {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
  response.writeHead(status, close ? { ...headers, connection: 'close' } : headers).end(`${word}\n`);
  return true;
}

type Middleware = (request: IncomingMessage, response: ServerResponse) => unknown;
type ProbotOctokitOptions = NonNullable<ConstructorParameters<typeof ProbotOctokit>[0]>;

async function verifier(options: WebhookOptions, webhooksPath: string): Promise<Middleware> {
  const { appId, privateKey, secret } = options;
  if (secret === '') throw new InputError([noSecret]);
  // Object form: Probot would lay its own defaults over these and go on throttling.
  const Octokit = ProbotOctokit.defaults((given: ProbotOctokitOptions) => ({
    ...given,
    throttle: { enabled: false },
    retry: { enabled: false },
  }));
  const log = options.log.child({}, { level: 'silent' });
  const probot = new Probot({ appId, privateKey, secret, log, Octokit });
  await probot.ready();
  return createNodeMiddleware((app) => void app.onAny((event) => store(options, event)), { probot, webhooksPath });
}

const noSecret = {
  source: 'WEBHOOK_SECRET',
  message: 'there is no webhook secret',
  remedy: "Set the secret that is entered in the App's webhook settings.",
};

async function store(options: WebhookOptions, event: { id: string; name: string; payload: unknown }): Promise<void> {
  const { inbox, rules, clock, log } = options;
  const about = { delivery: event.id, event: event.name };
  const reading = toInboxEntry(
    { id: event.id, event: event.name, payload: event.payload, receivedAt: clock.now() },
    rules(),
  );
  if (reading.kind === 'ignored') return log.info({ ...about, because: reading.because }, 'delivery ignored');
  try {
    const accepted = await inbox.accept(reading.entry);
    log.info({ ...about, kind: reading.entry.kind, accepted }, 'delivery stored');
    if (accepted === 'new') options.onNew?.();
  } catch (error) {
    log.error({ ...about, err: error }, 'delivery not stored');
    throw Object.assign(new Error('not stored'), { status: 503 });
  }
}

/**
 * The status that the middleware answers with; its words stay here, because they may quote an error. Its 202 says that
 * storing takes too long: nobody knows then whether it will work, and GitHub has to be told so.
 */
async function statusFrom(run: (response: ServerResponse) => unknown): Promise<number> {
  const seen = { status: 500 };
  const quiet = {
    writeHead(status: number) {
      seen.status = status;
      return quiet;
    },
    end: () => quiet,
  };
  await run(quiet as unknown as ServerResponse);
  return seen.status === 202 ? 503 : seen.status;
}
