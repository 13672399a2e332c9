import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { serverSecrets } from './app-github.ts';
import { createProviders } from './app-providers.ts';
import { promptsFolder, version } from './cli/compose.ts';
import type { Forge, ForgeRepositories, SandboxHost } from './domain/ports/index.ts';
import { systemClock } from './domain/system-clock.ts';
import { createWorkspaces } from './git/workspaces.ts';
import type { KnownIssue } from './jobs/issues.ts';
import type { RunRecord } from './jobs/runs.ts';
import type { WorkerPorts } from './jobs/worker-ports.ts';
import { executeRun } from './pipeline/execute-run.ts';
import { loadPrompts } from './prompts/load-prompts.ts';
import { applyRepositoryConfig } from './repository-config.ts';
import { reductionsOf } from './repository-reductions.ts';
import { guardLedger, guardTrajectories } from './secrets/guard.ts';
import { redactValue } from './secrets/redact-value.ts';
import { editedElsewhere } from './server/edited-elsewhere.ts';
import type { Metrics } from './server/metrics.ts';
import { currentBase, proposeChange } from './server/propose-change.ts';
import { createRefusalTeller } from './server/tell-refusal.ts';
import { publishersOf } from './server/tell-run.ts';
import type { ServerConfig } from './server-config.ts';

export interface WorkerParts extends Pick<WorkerPorts, 'database' | 'queue' | 'active'> {
  config: ServerConfig;
  log: Logger;
  forge: Forge & ForgeRepositories;
  metrics: Metrics;
  sandboxes: SandboxHost;
}

/** What the worker of this process works with, on all that the configuration names. */
export function workerPorts(parts: WorkerParts): WorkerPorts {
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
  const tellRefusal = createRefusalTeller(forge, log);
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
      const end = await executeRun(own, all, signal);
      if (end.kind === 'stopped' && record.attempt > 1) withdrawBranch(parts, record);
      return redactValue(end, secrets);
    },
    publishers: (record, again) =>
      publishersOf({ database, queue, forge, metrics, clock: systemClock, log }, record, again),
    // The code host's limits may last an hour; no turn and no stop waits for them.
    refused: async (request) => void tellRefusal(request),
    sweep: (run) => sandboxes.sweep(run),
  };
}

/** An attempt before this one may have been interrupted between its branch and its pull request. */
function withdrawBranch({ forge, log }: WorkerParts, { id, issue, run }: RunRecord): void {
  if (run.mode !== 'resolve') return;
  forge.withdraw(issue).catch((err: unknown) => log.warn({ run: id, err }, 'could not look for a branch left behind'));
}
