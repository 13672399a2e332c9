import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerInstead, correct } from './corrections.ts';
import { signatureOf } from './deliveries.ts';
import { type ApiAnswer, type ApiRequest, type FrontState, folderOf, jsonAnswer, jsonOf } from './front-state.ts';
import { type GitRequest, gitRequestOf, gitToken, isPush, serveGit } from './git-http.ts';
import { git } from './git-objects.ts';
import { completePayload } from './webhook-payloads.ts';

/** Path to which the emulator sends its webhooks, for the front to complete and to send on. */
export const relayPath = '/front/relay';

/** One origin for GitHub's REST API, git over HTTP, and the emulator's own webhooks. */
export function createFrontServer(stateOf: () => FrontState, secret: string): Server {
  return createServer((incoming, response) => {
    handle(stateOf(), secret, incoming, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      send(response, jsonAnswer(500, { message: `front: ${String(error)}` }));
    });
  });
}

async function handle(state: FrontState, secret: string, incoming: IncomingMessage, response: ServerResponse) {
  const url = new URL(incoming.url ?? '/', state.url);
  const asked = gitRequestOf(url);
  if (asked !== undefined) return answerGit(state, asked, incoming, response);
  const request = await readRequest(incoming, url);
  if (request.path === relayPath) return relay(state, secret, request, response);
  state.requests.push(`${request.method} ${request.path}`);
  const fault = state.faults.take(request.method, request.path);
  if (fault === undefined) return send(response, await answerApi(state, request));
  if ('status' in fault) {
    const answer = jsonAnswer(fault.status, fault.body ?? { message: 'injected fault' });
    return send(response, { ...answer, headers: { ...answer.headers, ...fault.headers } });
  }
  if (fault.drop === 'after') await answerApi(state, request);
  incoming.socket.destroy();
}

async function answerApi(state: FrontState, request: ApiRequest): Promise<ApiAnswer> {
  if (!mayAsk(state, request)) return jsonAnswer(401, { message: 'Bad credentials' });
  const instead = await answerInstead(state, request);
  return instead ?? correct(state, request, await forward(state, request));
}

/** The emulator takes an unknown token for its first user. A JSON web token it checks itself. */
function mayAsk(state: FrontState, request: ApiRequest): boolean {
  if (request.token === '' || request.token.startsWith('eyJ')) return true;
  const token = state.tokens.get(request.token);
  return token !== undefined && token.expiresAt > Date.now();
}

const notForwarded = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']);
const notReturned = new Set(['transfer-encoding', 'content-encoding', 'content-length', 'connection', 'keep-alive']);

async function forward(state: FrontState, request: ApiRequest): Promise<ApiAnswer> {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !notForwarded.has(name)));
  const body = request.body.length === 0 ? {} : { body: new Uint8Array(request.body) };
  const target = state.client.url + request.url.pathname + request.url.search;
  const response = await fetch(target, { method: request.method, headers, redirect: 'manual', ...body });
  const returned = [...response.headers].filter(([name]) => !notReturned.has(name));
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(returned), body: bytes };
}

async function relay(state: FrontState, secret: string, request: ApiRequest, response: ServerResponse): Promise<void> {
  const genuine = signatureOf(secret, request.body) === request.headers['x-hub-signature-256'];
  send(response, jsonAnswer(genuine ? 204 : 400, undefined));
  if (!genuine) return;
  const event = request.headers['x-github-event'] ?? '';
  const completed = await completePayload(state, event, jsonOf(request.body));
  await state.deliveries.send(completed.event, completed.payload);
}

async function answerGit(state: FrontState, asked: GitRequest, incoming: IncomingMessage, response: ServerResponse) {
  const token = state.tokens.get(gitToken(incoming.headers.authorization));
  const allowed = token !== undefined && token.expiresAt > Date.now();
  const reaches = token?.repositories?.includes(asked.fullName) ?? true;
  state.requests.push(`GIT ${incoming.method} ${asked.fullName} ${asked.rest}`);
  if (!allowed) {
    response.setHeader('www-authenticate', 'Basic realm="GitHub"');
    return send(response, jsonAnswer(401, { message: 'Authentication required' }));
  }
  if (!reaches || token.contents === 'none') return send(response, jsonAnswer(404, { message: 'Not Found' }));
  if (isPush(asked) && token.contents !== 'write')
    return send(response, jsonAnswer(403, { message: 'No write access' }));
  await serveGit(state.gitRoot, asked, incoming, response, async () => {
    if (asked.rest === 'git-receive-pack') await takePushed(state, asked.fullName);
  });
}

async function takePushed(state: FrontState, fullName: string): Promise<void> {
  const folder = folderOf(state, fullName);
  const listed = await git(folder, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads']);
  for (const branch of listed.trim().split('\n')) await state.bridge.toEmulator(fullName, folder, branch);
}

async function readRequest(incoming: IncomingMessage, url: URL): Promise<ApiRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) if (typeof value === 'string') headers[name] = value;
  return {
    method: incoming.method ?? 'GET',
    path: decodeURIComponent(url.pathname),
    url,
    headers,
    token: (headers['authorization'] ?? '').replace(/^(bearer|token)\s+/i, ''),
    body: Buffer.concat(chunks),
  };
}

function send(response: ServerResponse, answer: ApiAnswer): void {
  response.writeHead(answer.status, answer.headers).end(answer.status === 204 ? undefined : answer.body);
}
