import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { createEmulator } from 'emulate';
import { createDeliveries } from './deliveries.ts';
import { createEmulatorClient } from './emulator-client.ts';
import { createFaults } from './faults.ts';
import { adminLogin, appPermissions, type FrontOptions, loginsOf, userToken } from './front-options.ts';
import { createFrontServer, relayPath } from './front-server.ts';
import type { FrontState } from './front-state.ts';
import { createGitBridge } from './git-bridge.ts';
import { createGitHubFront, type GitHubFront } from './github-front.ts';
import { emulatorSeed, fillRepositories, type SeededApp } from './seeding.ts';

/** GitHub on this machine: the emulator behind a front that adds git, webhooks with a log, and faults. See README.md. */
export async function startGitHubFront(options: FrontOptions): Promise<GitHubFront> {
  const secret = options.webhookSecret ?? 'a webhook secret for tests';
  const holder: { state?: FrontState } = {};
  const server = createFrontServer(() => {
    if (holder.state === undefined) throw new Error('the front is still starting');
    return holder.state;
  }, secret);
  const url = await listen(server, options.port ?? 0);
  const app = appOf(options, url, secret);
  const { emulator, port } = await startEmulator(options, app, url);
  const state = await createState(options, app, url, `http://127.0.0.1:${port}`);
  holder.state = state;
  await fillRepositories(state, options);
  const bot = await wakeBot(state, app.key, options);
  state.deliveries.log.length = 0;
  state.requests.length = 0;
  state.deliveries.setUrl(options.webhookUrl);
  return createGitHubFront(state, { privateKey: app.key, secret, bot }, async () => {
    await state.deliveries.settled();
    server.closeAllConnections();
    await Promise.all([new Promise((done) => server.close(done)), emulator.close()]);
    await rm(state.gitRoot, { recursive: true, force: true });
  });
}

function appOf(options: FrontOptions, url: string, secret: string): SeededApp {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return {
    id: options.appId ?? 4242,
    slug: options.slug ?? 'fathom',
    key: privateKey,
    installation: 777,
    relay: url + relayPath,
    secret,
    permissions: options.permissions ?? appPermissions,
  };
}

async function startEmulator(options: FrontOptions, app: SeededApp, url: string) {
  const port = await freePort();
  const seed = emulatorSeed(options, app);
  const emulator = await createEmulator({ service: 'github', port, hostname: '127.0.0.1', baseUrl: url, seed });
  return { emulator, port };
}

async function createState(options: FrontOptions, app: SeededApp, url: string, emulatorUrl: string) {
  const client = createEmulatorClient(emulatorUrl, userToken(adminLogin));
  const state: FrontState = {
    url,
    client,
    bridge: createGitBridge(client),
    deliveries: createDeliveries(app.secret),
    faults: createFaults(),
    appId: app.id,
    slug: app.slug,
    installationId: app.installation,
    tokens: new Map(),
    reactions: [],
    withoutDrafts: new Set(),
    gone: new Map(),
    linked: new Map(),
    gitRoot: await mkdtemp(join(tmpdir(), 'github-front-')),
    requests: [],
  };
  for (const login of [adminLogin, ...loginsOf(options)]) {
    state.tokens.set(userToken(login), { expiresAt: Number.POSITIVE_INFINITY, login, contents: 'write' });
  }
  return state;
}

/** The App's user appears in the emulator only once the App has written something. */
async function wakeBot(state: FrontState, privateKey: string, options: FrontOptions) {
  const auth = { appId: state.appId, privateKey };
  const app = new Octokit({ authStrategy: createAppAuth, auth, baseUrl: state.url });
  const minted = await app.rest.apps.createInstallationAccessToken({ installation_id: state.installationId });
  const first = options.repositories[0];
  const asBot = createEmulatorClient(state.client.url, minted.data.token);
  const made = await asBot
    .need<{ number: number }>('POST', `/repos/${first?.owner}/${first?.name}/labels`, {
      name: 'front-start',
    })
    .catch(() => undefined);
  if (made !== undefined) await state.client.call('DELETE', `/repos/${first?.owner}/${first?.name}/labels/front-start`);
  state.tokens.delete(minted.data.token);
  return state.client.need<{ id: number; login: string }>('GET', `/users/${encodeURIComponent(`${state.slug}[bot]`)}`);
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

/** The emulator does not tell the port that it was given. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await listen(probe, 0);
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}
