import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { ForgeError } from '../domain/errors.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { RepositoryRef } from '../domain/ports/forge.ts';
import { forgeError } from './forge-failure.ts';
import { type GitHubLog, octokitLog } from './github-log.ts';
import { makePatient, repeatable } from './patient-requests.ts';

export interface AppSettings {
  appId: number;
  /** PEM, as GitHub gives it. */
  privateKey: string;
  /** Of the API, without a trailing slash; GitHub's own when absent. */
  baseUrl?: string;
  clock: Clock;
  log: GitHubLog;
  /** Seconds that one request may wait for rate limits; 70 minutes when absent, which outlasts the hourly limit. */
  limitSeconds?: number;
  /** Seconds between attempts at what failed by chance; 1, 4 and 16 when absent, none for who tries again themselves. */
  pauses?: readonly number[];
  /** Ends all requests and waits, when the process goes down. */
  signal?: AbortSignal;
}

export interface AppIdentity {
  appId: number;
  slug: string;
  /** The App's own user: author of its comments and commits. */
  bot: { id: number; login: string };
}

interface MintedToken {
  token: string;
  expiresAt: string;
}

/** The App's installations: a client and tokens for each repository that it is installed on. */
export interface Installations {
  /**
   * A client whose token reaches `ref` and no other repository. `signal` ends its requests and waits; `limitSeconds`, where
   * given, is what one request may wait for rate limits.
   */
  octokitFor(ref: RepositoryRef, signal?: AbortSignal, limitSeconds?: number): Octokit;
  /** A token made for this call, for `ref` alone and with no more than these permissions. */
  mint(ref: RepositoryRef, permissions: Record<string, string>): Promise<MintedToken>;
  /** What the installation that reaches `ref` was granted. */
  granted(ref: RepositoryRef): Promise<Record<string, string>>;
  /** `unauthorized` where GitHub knows no App of this id, or not with this key, and only then. */
  identity(): Promise<AppIdentity>;
  /** Speaks for the App itself: for its settings and deliveries. */
  app: Octokit;
}

/** @throws ForgeError from every method; `not-installed` where the App is not installed on a repository. */
export function createInstallations(settings: AppSettings): Installations {
  const app = appClient(settings);
  const sources = new Map<string, (renew: boolean) => Promise<string>>();
  const ids = new Map<string, number>();
  let identity: Promise<AppIdentity> | undefined;

  async function installationOf(ref: RepositoryRef): Promise<number> {
    const known = ids.get(keyOf(ref));
    if (known !== undefined) return known;
    const { owner, repo } = ref;
    const found = await app.rest.apps.getRepoInstallation({ owner, repo }).catch((error) => notInstalled(error, ref));
    ids.set(keyOf(ref), found.data.id);
    return found.data.id;
  }
  async function mint(ref: RepositoryRef, permissions?: Record<string, string>): Promise<MintedToken> {
    const known = ids.has(keyOf(ref));
    const installation_id = await installationOf(ref);
    const only = { repositories: [ref.repo], ...(permissions && { permissions }) };
    const asked = { installation_id, ...only, request: repeatable };
    try {
      const minted = await app.rest.apps.createInstallationAccessToken(asked);
      return { token: minted.data.token, expiresAt: minted.data.expires_at };
    } catch (error) {
      ids.delete(keyOf(ref));
      // Installed anew, the App has another installation there.
      if (known && error instanceof ForgeError && error.failure === 'not-found') return mint(ref, permissions);
      return notInstalled(error, ref);
    }
  }
  const octokitFor: Installations['octokitFor'] = (ref, signal = settings.signal, limitSeconds) => {
    const tokenFor = sources.get(keyOf(ref)) ?? tokenSource(settings.clock, () => mint(ref));
    sources.set(keyOf(ref), tokenFor);
    const client = new Octokit(baseOptions(settings));
    const authorization = async (renew: boolean) => `token ${await tokenFor(renew)}`;
    const patience = { ...patienceOf(settings), ...(limitSeconds === undefined ? {} : { limitSeconds }) };
    makePatient(client, { ...patience, signal, authorization });
    return client;
  };
  return {
    app,
    octokitFor,
    mint,
    async granted(ref) {
      const installation_id = await installationOf(ref);
      const found = await app.rest.apps.getInstallation({ installation_id });
      return Object.fromEntries(Object.entries(found.data.permissions).filter((entry) => entry[1] !== undefined));
    },
    identity: () => {
      identity ??= findIdentity(app, settings).catch((error) => {
        identity = undefined;
        throw error;
      });
      return identity;
    },
  };
}

const keyOf = (ref: RepositoryRef): string => `${ref.owner}/${ref.repo}`.toLowerCase();

function notInstalled(error: unknown, ref: RepositoryRef): never {
  if (error instanceof ForgeError && error.failure === 'not-found') {
    throw forgeError('not-installed', `The App is not installed on ${ref.owner}/${ref.repo}.`, error);
  }
  throw error;
}

function baseOptions({ baseUrl = 'https://api.github.com', log }: AppSettings) {
  return { baseUrl, log: octokitLog(log), userAgent: 'fathom', request: { redirect: 'manual' as const } };
}

function patienceOf({ clock, log, limitSeconds = 70 * 60, pauses, signal }: AppSettings) {
  return { clock, log, limitSeconds, signal, ...(pauses && { pauses }) };
}

function appClient(settings: AppSettings): Octokit {
  const auth = { appId: settings.appId, privateKey: settings.privateKey };
  const client = new Octokit({ ...baseOptions(settings), authStrategy: createAppAuth, auth });
  makePatient(client, patienceOf(settings));
  return client;
}

const EARLY_MS = 5 * 60_000;

/** The repository's token, held until shortly before it ends, or until it is refused. */
function tokenSource(clock: Clock, mint: () => Promise<MintedToken>): (renew: boolean) => Promise<string> {
  let current: Promise<MintedToken> | undefined;
  return async (renew) => {
    const held = renew ? undefined : await current?.catch(() => undefined);
    const usable = held !== undefined && Date.parse(held.expiresAt) - EARLY_MS > clock.now().getTime();
    if (usable) return held.token;
    current = mint();
    return (await current).token;
  };
}

async function findIdentity(app: Octokit, settings: AppSettings): Promise<AppIdentity> {
  const about = await app.rest.apps.getAuthenticated().catch(unknownApp);
  const slug = about.data?.slug;
  if (slug === undefined) throw forgeError('unauthorized', 'GitHub does not know this App.');
  const bot = await findUser(app, settings, `${slug}[bot]`);
  return { appId: settings.appId, slug, bot };
}

function unknownApp(error: unknown): never {
  if (error instanceof ForgeError && error.failure === 'not-found') {
    throw forgeError('unauthorized', error.message, error);
  }
  throw error;
}

/** A user's id is public, but anonymous requests soon meet a limit, and an Enterprise server may refuse them. */
async function findUser(app: Octokit, settings: AppSettings, username: string): Promise<AppIdentity['bot']> {
  const installed = await app.rest.apps.listInstallations({ per_page: 100 });
  const reader = new Octokit(baseOptions(settings));
  const first = installed.data.find((one) => !one.suspended_at);
  const authorization = async () => {
    const minted = await app.rest.apps.createInstallationAccessToken({
      installation_id: first?.id ?? 0,
      request: repeatable,
    });
    return `token ${minted.data.token}`;
  };
  makePatient(reader, { ...patienceOf(settings), ...(first && { authorization }) });
  const { data } = await reader.rest.users.getByUsername({ username }).catch((error) => {
    if (!(error instanceof ForgeError) || error.failure !== 'unauthorized') throw error;
    const message = `GitHub does not say who ${username} is; where it asks for a sign-in, install the App somewhere.`;
    throw forgeError('forbidden', message, error);
  });
  return { id: data.id, login: data.login };
}
