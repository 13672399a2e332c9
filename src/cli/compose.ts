import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import type { ChatModel, Publisher, SandboxHost } from '../domain/ports/index.ts';
import type { Run } from '../domain/run.ts';
import { systemClock } from '../domain/system-clock.ts';
import { createWorkspaces } from '../git/workspaces.ts';
import { createFolderLedger } from '../jobs/folder-ledger.ts';
import { createFolderTrajectories } from '../jobs/folder-trajectories.ts';
import { createRunBudget } from '../jobs/run-budget.ts';
import { createChatModel } from '../model/create-chat-model.ts';
import type { PipelinePorts } from '../pipeline/run-context.ts';
import { loadPrompts } from '../prompts/load-prompts.ts';
import { applyRepositoryConfig } from '../repository-config.ts';
import { createDockerHost } from '../sandbox/create-docker-host.ts';

export const promptsFolder = fileURLToPath(new URL('../../prompts', import.meta.url));
export const version: string = packageJson.version;

/** The model that the configuration names, or undefined where it names none. */
export function composeModel(config: Config): ChatModel | undefined {
  if (!config.model) return undefined;
  const { api, apiKey, baseUrl, prices } = config.model;
  const models = new Set(Object.values(config.settings.roles).map((role) => role.model));
  return createChatModel({
    api,
    apiKey,
    clock: systemClock,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(prices ? { prices: Object.fromEntries([...models].map((model) => [model, prices])) } : {}),
  });
}

export function composeSandboxes(config: Config): SandboxHost {
  return createDockerHost(config.dockerHost === undefined ? {} : { host: config.dockerHost });
}

/** Everything a run on this machine needs, with its artefacts and transcripts in `folder`. */
export async function composePorts(
  config: Config,
  run: Run,
  folder: string,
  publishers: Publisher[],
): Promise<PipelinePorts> {
  const ledger = createFolderLedger(folder);
  const { budgetUsd, budgetTokens, roles } = run.settings;
  const limits = { usd: budgetUsd, unpricedTokens: budgetTokens, agentUsd: agentUsd(roles) };
  return {
    model: composeModel(config),
    sandboxes: composeSandboxes(config),
    workspaces: createWorkspaces({ dataDir: config.dataDir, environment: config.environment }),
    ledger,
    trajectories: createFolderTrajectories(join(folder, 'trajectories')),
    budget: createRunBudget(limits, ledger, await ledger.spent(run.id)),
    clock: systemClock,
    prompts: loadPrompts(promptsFolder),
    publishers,
    repositorySettings: applyRepositoryConfig,
    version,
  };
}

/** An agent's name begins with its role: `answerer-Q1`. */
function agentUsd(roles: Run['settings']['roles']): (agent: string) => number {
  return (agent) => {
    const role = Object.keys(roles).find((name) => agent.startsWith(name)) as keyof typeof roles | undefined;
    return role ? roles[role].limits.usd : Number.POSITIVE_INFINITY;
  };
}
