import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { composeChores, composeDiskCaps } from './app-chores.ts';
import { createProviders } from './app-providers.ts';
import { composeSandboxes, composeSecrets, passwordIn, promptsFolder, version } from './cli/compose.ts';
import { HandedOverError } from './domain/errors.ts';
import type { SandboxHost, Secrets } from './domain/ports/index.ts';
import { systemClock } from './domain/system-clock.ts';
import { createWorkspaces } from './git/workspaces.ts';
import { createForge } from './github/create-forge.ts';
import { createInstallations, type Installations } from './github/installations.ts';
import { createWebhookHandler, type WebhookHandler } from './github/webhooks/webhook-handler.ts';
import { createActiveRuns } from './jobs/active-runs.ts';
import type { Database } from './jobs/database.ts';
import { createDatabaseInbox } from './jobs/database-inbox.ts';
import type { KnownIssue } from './jobs/issues.ts';
import { openDatabase } from './jobs/open-database.ts';
import { createOperations } from './jobs/operations.ts';
import { createQueue, type Queue } from './jobs/queue.ts';
import { startWorker } from './jobs/worker.ts';
import type { WorkerPorts } from './jobs/worker-ports.ts';
import { executeRun } from './pipeline/execute-run.ts';
import { loadPrompts } from './prompts/load-prompts.ts';
import { applyRepositoryConfig } from './repository-config.ts';
import { reductionsOf } from './repository-reductions.ts';
import { guardForge, guardInbox, guardLedger, guardTrajectories } from './secrets/guard.ts';
import { redactValue } from './secrets/redact-value.ts';
import { openAdminSocket } from './server/admin-socket.ts';
import { choresOf } from './server/chores.ts';
import { editedElsewhere } from './server/edited-elsewhere.ts';
import { startHousekeeping } from './server/housekeeping.ts';
import { createHttpServer } from './server/http-server.ts';
import { createMetrics } from './server/metrics.ts';
import { currentBase, proposeChange } from './server/propose-change.ts';
import { sayIfSlow } from './server/say-if-slow.ts';
import { createRefusalTeller } from './server/tell-refusal.ts';
import { publishersOf } from './server/tell-run.ts';
import type { ServerConfig } from './server-config.ts';

export interface App {
  port: number;
  /** Takes no further runs, gives those that run some time, and closes everything. Deliveries are taken till then. */
  stop(): Promise<void>;
}

export interface AppOptions {
  /** False for a process that only works: another one takes the deliveries. */
  deliveries: boolean;
  /** Instead of the engine that the configuration names. */
  sandboxes?: SandboxHost;
}

/**
 * The running product: database, queue, worker, HTTP server and admin socket, composed as the configuration says.
 * What was opened is closed again when a later part cannot be had. @throws FathomError
 */
export async function startApp(config: ServerConfig, log: Logger, options: AppOptions): Promise<App> {
  await using opened = new AsyncDisposableStack();
  const onError = (err: unknown) => log.warn({ err }, 'database connection lost; it is opened again');
  const database = await sayIfSlow(log, 'the database to open', () =>
    openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, onError),
  );
  opened.defer(() => database.close());
  const queue = await createQueue(database, config, (err) => log.warn({ err }, 'queue'));
  opened.defer(() => queue.stop());
  const over = new AbortController();
  const installations = createInstallations({ ...appSettings(config, log), signal: over.signal });
  const active = createActiveRuns(database);
  const sandboxes = options.sandboxes ?? composeSandboxes(config);
  const disk = composeDiskCaps(config, { database, sandboxes });
  const metrics = createMetrics({
    depth: () => queue.depth(),
    active: () => active.ids().length,
    containers: async () => sandboxes.running?.(),
    disk,
  });
  const forge = composeForge(config, installations);
  const ports = workerPorts({ config, log, database, queue, forge, active, metrics, sandboxes });
  const webhook = options.deliveries ? await deliveries(config, log, database, queue, installations) : noDeliveries;
  const state = { draining: false };
  const ready = () => isReady(state, database);
  const http = createHttpServer({ webhook, ready, metrics, metricsToken: config.metricsToken, log });
  const closeAdmin = await openAdminSocket(config.dataDir, createOperations(database, queue), log);
  opened.defer(closeAdmin);
  const port = await http.listen(config.host, config.port);
  opened.defer(() => http.close());
  const app = options.deliveries ? installations.app : undefined;
  const endHousekeeping = startHousekeeping(
    choresOf(composeChores(config, ports, { sandboxes, disk, app, forge })),
    log,
  );
  opened.defer(endHousekeeping);
  const worker = await startWorker(ports);
  log.info({ port, version, database: database.kind, deliveries: options.deliveries }, 'ready');
  const parts = opened.move();
  return {
    port,
    async stop() {
      state.draining = true;
      await worker.drain(config.drainSeconds);
      over.abort(new HandedOverError('a restart'));
      await parts.disposeAsync();
    },
  };
}

function appSettings({ app }: ServerConfig, log: Logger) {
  const { appId, privateKey, apiUrl } = app;
  return { appId, privateKey, clock: systemClock, log, ...(apiUrl === undefined ? {} : { baseUrl: apiUrl }) };
}

async function deliveries(
  config: ServerConfig,
  log: Logger,
  database: Database,
  queue: Queue,
  installations: Installations,
): Promise<WebhookHandler> {
  const { appId, privateKey, webhookSecret: secret } = config.app;
  const github = `GitHub at ${config.app.apiUrl ?? 'https://api.github.com'} to say who the App is`;
  const { bot } = await sayIfSlow(log, github, () => installations.identity());
  return createWebhookHandler({
    appId,
    privateKey,
    secret,
    rules: { labels: config.labels, appId, botId: bot.id, allowedBots: config.allowedBots },
    inbox: guardInbox(createDatabaseInbox(database, queue), serverSecrets(config)),
    clock: systemClock,
    log,
  });
}

const noDeliveries: WebhookHandler = async () => false;

async function isReady(state: { draining: boolean }, database: Database): Promise<boolean> {
  if (state.draining) return false;
  const answer = database.query('SELECT 1').then(
    () => true,
    () => false,
  );
  const late = systemClock.sleep(READY_MS, new AbortController().signal).then(() => false);
  return Promise.race([answer, late]);
}

const READY_MS = 2000;

interface WorkerParts extends Pick<WorkerPorts, 'database' | 'queue' | 'active'> {
  config: ServerConfig;
  log: Logger;
  forge: ReturnType<typeof composeForge>;
  metrics: ReturnType<typeof createMetrics>;
  sandboxes: SandboxHost;
}

function composeForge(config: ServerConfig, installations: Installations) {
  const secrets = serverSecrets(config);
  return guardForge(createForge(installations, { redact: secrets.redact }), secrets);
}

function workerPorts(parts: WorkerParts): WorkerPorts {
  const { config, log, database, queue, forge, active, metrics, sandboxes } = parts;
  const secrets = serverSecrets(config);
  const providers = createProviders(config, (text) => log.warn({}, text));
  const providerFor = (issue: KnownIssue) => providers({ ...issue, installationId: Number(issue.installationId) });
  const shared = {
    sandboxes,
    workspaces: createWorkspaces({
      dataDir: config.dataDir,
      log,
      sandboxUid: async () => sandboxes.userOnHost?.(),
      credential: ({ owner, name }) => forge.cloneCredential({ owner, repo: name }),
    }),
    clock: systemClock,
    prompts: loadPrompts(promptsFolder),
    repositorySettings: applyRepositoryConfig,
    repositoryNotes: reductionsOf,
    version,
    secrets,
    access: config.access,
  };
  return {
    name: `${hostname()}/${process.pid}`,
    database,
    queue,
    active,
    forge,
    clock: systemClock,
    log,
    settings: config.settings,
    months: config.months,
    permission: config.permission,
    mayBeSent: (issue) => providerFor(issue) !== undefined,
    execute: async (run, kept, signal, record) => {
      const ledger = guardLedger(kept.ledger, secrets);
      const trajectories = guardTrajectories(kept.trajectories, secrets);
      const propose = proposeChange({ forge, ledger, record });
      const inTheWay = editedElsewhere(forge, record);
      const asks = { inTheWay, currentBase: currentBase({ forge, record }) };
      // Without one, because the rules are others by now, code is ranked by its words and sent to nobody.
      const { model, roles = run.settings.roles } = providerFor(record.issue) ?? {};
      const all = { ...shared, ...kept, model, ledger, trajectories, propose, ...asks };
      const own = { ...run, settings: { ...run.settings, roles } };
      return redactValue(await executeRun(own, all, signal), secrets);
    },
    publishers: (record) => publishersOf({ database, forge, metrics, clock: systemClock, log }, record),
    refused: createRefusalTeller(forge, log),
    sweep: (run) => sandboxes.sweep(run),
  };
}

/** Every secret that the server was told, so that none is in what it writes: comments, stored runs, log lines. */
export function serverSecrets(config: ServerConfig): Secrets {
  const { privateKey, webhookSecret } = config.app;
  const keys = config.providers?.map((rule) => rule.apiKey) ?? [];
  const { metricsToken, databaseUrl } = config;
  return composeSecrets(config, [privateKey, webhookSecret, metricsToken, ...keys, ...passwordIn(databaseUrl)]);
}
