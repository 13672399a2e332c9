import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatCompletionBody, responseBody, type ServedReply } from './chat-server-bodies.ts';

/** One request as it came over the wire, with a view of it that is the same for both APIs. */
export interface ServedRequest {
  api: 'chat' | 'responses';
  /** 1 for the first request of this server. */
  number: number;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
  /** Names of the tools. */
  tools: string[];
  /** The whole conversation as one text, to look for words in. */
  text: string;
}

/** What the server does: answer in its API's shape, send this status and body, or break in one of these ways. */
export type ServedAnswer =
  | ServedReply
  | { status: number; headers?: Record<string, string>; json?: unknown; body?: string }
  | { fault: 'cut' | 'cut-in-body' | 'endless' | 'html' | 'silent' };

export interface ChatServer {
  /** Base URL, ending in /v1. */
  readonly url: string;
  readonly requests: ServedRequest[];
  close(): Promise<void>;
}

/**
 * A real HTTP server on loopback that speaks Chat Completions and Responses and answers as `script` says. A script that
 * waits delays its answer; one that throws makes status 500 of it. It stands in for a language model and for nothing else.
 */
export async function startChatServer(
  script: (request: ServedRequest) => ServedAnswer | Promise<ServedAnswer>,
): Promise<ChatServer> {
  const requests: ServedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming, requests.length + 1);
    if (request === undefined) return sendJson(response, 404, { error: { message: 'no such route', code: null } });
    requests.push(request);
    try {
      await answer(response, request, await script(request));
    } catch (error) {
      sendJson(response, 500, { error: { message: String(error) } });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A script that gives these answers in order, and the last one from then on. */
export function answering(...answers: ServedAnswer[]): (request: ServedRequest) => ServedAnswer {
  return (request) => answers[request.number - 1] ?? answers.at(-1) ?? {};
}

async function readRequest(incoming: IncomingMessage, number: number): Promise<ServedRequest | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const route = incoming.url?.split('?')[0] ?? '';
  const api = route.endsWith('/chat/completions') ? 'chat' : route.endsWith('/responses') ? 'responses' : undefined;
  if (api === undefined || incoming.method !== 'POST') return undefined;
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
  const tools = (body['tools'] ?? []) as { name?: string; function?: { name: string } }[];
  return {
    api,
    number,
    headers: incoming.headers,
    body,
    tools: tools.map((tool) => tool.function?.name ?? tool.name ?? ''),
    text: JSON.stringify(body['messages'] ?? body['input']),
  };
}

async function answer(response: ServerResponse, request: ServedRequest, said: ServedAnswer): Promise<void> {
  if ('fault' in said) return breakOff(response, said.fault);
  if ('status' in said) {
    if (said.body === undefined) return sendJson(response, said.status, said.json, said.headers);
    response.writeHead(said.status, { 'content-type': 'text/html', ...said.headers }).end(said.body);
    return;
  }
  const model = String(request.body['model']);
  sendJson(
    response,
    200,
    request.api === 'chat'
      ? chatCompletionBody(said, model, request.number)
      : responseBody(said, model, request.number),
  );
}

async function breakOff(response: ServerResponse, fault: 'cut' | 'cut-in-body' | 'endless' | 'html' | 'silent') {
  switch (fault) {
    case 'silent':
      return;
    case 'cut':
      response.destroy();
      return;
    case 'cut-in-body':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"choices":', () => response.destroy());
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>');
      return;
    case 'endless':
      response.writeHead(200, { 'content-type': 'application/json' });
      await pourOut(response);
  }
}

async function pourOut(response: ServerResponse): Promise<void> {
  const piece = `"${'x'.repeat(64 * 1024)}",`;
  response.write('[');
  while (!response.destroyed) {
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}
