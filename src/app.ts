import type { Logger } from 'pino';
import { composeChores, composeDiskCaps } from './app-chores.ts';
import { appSettings, composeForge, meetGitHub, serverSecrets } from './app-github.ts';
import { workerPorts } from './app-worker.ts';
import { composeSandboxes, version } from './cli/compose.ts';
import { EnvironmentError, type FathomError, HandedOverError } from './domain/errors.ts';
import type { RunInbox, SandboxHost } from './domain/ports/index.ts';
import { systemClock } from './domain/system-clock.ts';
import { createInstallations } from './github/installations.ts';
import { createWebhookHandler, type WebhookHandler } from './github/webhooks/webhook-handler.ts';
import { type ActiveRuns, createActiveRuns } from './jobs/active-runs.ts';
import { createDatabaseInbox } from './jobs/database-inbox.ts';
import { type OpenDatabase, openDatabase } from './jobs/open-database.ts';
import { createOperations } from './jobs/operations.ts';
import { UNREACHABLE } from './jobs/postgres-database.ts';
import { createQueue, type Queue } from './jobs/queue.ts';
import { startWorker } from './jobs/worker.ts';
import { guardInbox } from './secrets/guard.ts';
import { openAdminSocket } from './server/admin-socket.ts';
import { choresOf } from './server/chores.ts';
import type { DiskCaps } from './server/disk-caps.ts';
import { startHousekeeping } from './server/housekeeping.ts';
import { createHttpServer } from './server/http-server.ts';
import { keepTrying } from './server/keep-trying.ts';
import { createMetrics, type Metrics } from './server/metrics.ts';
import { sayIfSlow } from './server/say-if-slow.ts';
import type { ServerConfig } from './server-config.ts';

export interface App {
  port: number;
  /**
   * Resolves when runs are worked on, or when it was stopped before. @throws FathomError when that cannot come to be;
   * everything is closed then.
   */
  working: Promise<void>;
  /** Takes no further runs, gives those that run some time, and closes everything. Deliveries are taken till then. */
  stop(): Promise<void>;
}

export interface AppOptions {
  /** False for a process that only works: another one takes the deliveries. */
  deliveries: boolean;
  /** Instead of the engine that the configuration names. */
  sandboxes?: SandboxHost;
}

/** What runs are kept in, and what looks at it. */
interface Store {
  database: OpenDatabase;
  queue: Queue;
  inbox: RunInbox;
  active: ActiveRuns;
  disk: DiskCaps;
  metrics: Metrics;
}

/** What has been reached so far. */
interface Reached {
  store?: Store;
  /** The id of the App's own user, once GitHub has said it. */
  bot?: number;
  working: boolean;
  stopping: boolean;
}

/** One start, from the first request that is answered to its end. */
interface Start {
  config: ServerConfig;
  log: Logger;
  options: AppOptions;
  sandboxes: SandboxHost;
  reached: Reached;
  /** Ends all requests to GitHub, and what is waited for. */
  over: AbortController;
  /** Closes what runs are kept in, last of all. */
  store: AsyncDisposableStack;
  /** Ends what works, before the server stops to answer. */
  work: AsyncDisposableStack;
}

/**
 * The running product: database, queue, worker, HTTP server and admin socket, composed as the configuration says. It
 * answers at once; deliveries are stored as soon as there is a database, and runs start once GitHub has answered too.
 * @throws FathomError
 */
export async function startApp(config: ServerConfig, log: Logger, options: AppOptions): Promise<App> {
  const start: Start = {
    config,
    log,
    options,
    sandboxes: options.sandboxes ?? composeSandboxes(config, log),
    reached: { working: false, stopping: false },
    over: new AbortController(),
    store: new AsyncDisposableStack(),
    work: new AsyncDisposableStack(),
  };
  const { reached, over } = start;
  const http = createHttpServer({
    webhook: options.deliveries ? await deliveries(start) : noDeliveries,
    waitsFor: () => waitsFor(reached),
    metrics: () => reached.store?.metrics,
    metricsToken: config.metricsToken,
    log,
  });
  const port = await http.listen(config.host, config.port);
  log.info({ port, version }, 'listening');
  const starting = startWork(start, port);
  const stop = async () => {
    reached.stopping = true;
    if (!reached.working) over.abort(new HandedOverError('a restart'));
    await starting.catch(() => undefined);
    await start.work.disposeAsync();
    await http.close();
    await start.store.disposeAsync();
  };
  const working = starting.catch(async (error: unknown) => {
    if (reached.stopping) return;
    await stop();
    throw error;
  });
  return { port, working, stop };
}

async function startWork(start: Start, port: number): Promise<void> {
  const { config, log, options, reached, over } = start;
  const meeting = meetGitHub(config, log, over.signal);
  // Where the App's key is wrong, a database is not waited for any longer.
  meeting.then(
    ({ bot }) => {
      reached.bot = bot.id;
    },
    (error) => over.abort(error),
  );
  const store = await openStore(start);
  const { database } = store;
  reached.store = store;
  await meeting;
  await startWorking(start, store);
  reached.working = true;
  log.info({ port, version, database: database.kind, deliveries: options.deliveries }, 'ready');
}

async function openStore(start: Start): Promise<Store> {
  const { config, log, sandboxes, store, over } = start;
  const onError = (err: unknown) => log.warn({ err }, 'database connection lost; it is opened again');
  const open = () => openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, onError);
  const passes = ({ code }: FathomError) => code === UNREACHABLE;
  const trying = { what: 'the database', passes, log, clock: systemClock, signal: over.signal };
  const database = await keepTrying(() => sayIfSlow(log, 'the database to open', open), trying);
  store.defer(() => database.close());
  const queue = await createQueue(database, config, (err) => log.warn({ err }, 'queue'));
  store.defer(() => queue.stop());
  const active = createActiveRuns(database);
  const disk = composeDiskCaps(config, { database, sandboxes });
  const metrics = createMetrics({
    depth: () => queue.depth(),
    active: () => active.ids().length,
    containers: async () => sandboxes.running?.(),
    disk,
  });
  store.defer(await openAdminSocket(config.dataDir, createOperations(database, queue), log));
  const inbox = guardInbox(createDatabaseInbox(database, queue), serverSecrets(config));
  return { database, queue, inbox, active, disk, metrics };
}

async function startWorking(start: Start, { database, queue, active, disk, metrics }: Store): Promise<void> {
  const { config, log, options, sandboxes, over, work } = start;
  const installations = createInstallations(appSettings(config, log, over.signal));
  const forge = composeForge(config, installations);
  const ports = workerPorts({ config, log, database, queue, forge, active, metrics, sandboxes });
  const app = options.deliveries ? installations.app : undefined;
  work.defer(startHousekeeping(choresOf(composeChores(config, ports, { sandboxes, disk, app, forge })), log));
  work.defer(() => over.abort(new HandedOverError('a restart')));
  const worker = await startWorker(ports);
  work.defer(() => worker.drain(config.drainSeconds));
}

async function deliveries({ config, log, reached }: Start): Promise<WebhookHandler> {
  const { webhookSecret: secret } = config;
  const { appId, privateKey } = config.app;
  return createWebhookHandler({
    appId,
    privateKey,
    secret,
    log,
    clock: systemClock,
    rules: () => ({ labels: config.labels, appId, botId: reached.bot, allowedBots: config.allowedBots }),
    inbox: { accept: async (entry) => (reached.store ?? noStore()).inbox.accept(entry) },
  });
}

function noStore(): never {
  const remedy = 'GitHub is asked to send it again once there is one.';
  throw new EnvironmentError(UNREACHABLE, 'there is no database yet', remedy);
}

const noDeliveries: WebhookHandler = async () => false;

/** In fixed words: whoever reaches the port may read them. */
async function waitsFor(reached: Reached): Promise<string | undefined> {
  if (reached.stopping) return 'it stops';
  const missing = [
    reached.store === undefined ? 'the database is not reached yet' : undefined,
    reached.bot === undefined ? 'GitHub is not reached yet' : undefined,
  ].filter((reason) => reason !== undefined);
  if (missing.length > 0) return missing.join(', ');
  if (!reached.working) return 'it starts';
  return (await answers(reached.store?.database)) ? undefined : 'the database does not answer';
}

async function answers(database: OpenDatabase | undefined): Promise<boolean> {
  const answer = database?.query('SELECT 1').then(
    () => true,
    () => false,
  );
  const late = systemClock.sleep(READY_MS, new AbortController().signal).then(() => false);
  return Promise.race([answer ?? false, late]);
}

const READY_MS = 2000;
