import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { InputError } from '../domain/errors.ts';
import type { ChatModel, Publisher, SandboxHost, Secrets } from '../domain/ports/index.ts';
import type { Run } from '../domain/run.ts';
import { systemClock } from '../domain/system-clock.ts';
import { createWorkspaces } from '../git/workspaces.ts';
import { diskError } from '../jobs/disk-error.ts';
import { createFolderLedger } from '../jobs/folder-ledger.ts';
import { createFolderTrajectories } from '../jobs/folder-trajectories.ts';
import { createRunBudget } from '../jobs/run-budget.ts';
import { createChatModel } from '../model/create-chat-model.ts';
import { recordedModel } from '../model/recorded-model.ts';
import { recordingModel } from '../model/recording-model.ts';
import type { PipelinePorts } from '../pipeline/run-context.ts';
import { loadPrompts } from '../prompts/load-prompts.ts';
import { applyRepositoryConfig } from '../repository-config.ts';
import { reductionsOf } from '../repository-reductions.ts';
import { createDockerHost } from '../sandbox/create-docker-host.ts';
import { DEFAULT_LIMITS } from '../sandbox/limits.ts';
import { createSecrets } from '../secrets/create-secrets.ts';
import { guardLedger, guardTrajectories } from '../secrets/guard.ts';
import { redactValue } from '../secrets/redact-value.ts';

export const promptsFolder = fileURLToPath(new URL('../../prompts', import.meta.url));
export const version: string = packageJson.version;

/**
 * What speaks in a run: the model that the configuration names, the recording that it plays instead, or undefined where
 * it names none. `tell` hears of calls that are tried again, and of prompts that no longer fit a recording.
 * @throws InputError
 */
export function composeModel(config: Config, tell: (text: string) => void = () => undefined): ChatModel | undefined {
  if (config.playback !== undefined) return playback(config.playback, tell);
  if (!config.model) return undefined;
  const { api, apiKey, baseUrl, prices, callSeconds } = config.model;
  const models = new Set(Object.values(config.settings.roles).map((role) => role.model));
  const model = createChatModel({
    api,
    apiKey,
    clock: systemClock,
    onRetry: ({ request, tries, waitMs, what }) => {
      const wait = Math.max(1, Math.round(waitMs / 1000));
      tell(`${request.agent}: ${what.slice(0, 120)}; trying again in ${wait} s (try ${tries})`);
    },
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(prices ? { prices: Object.fromEntries([...models].map((name) => [name, prices])) } : {}),
    ...(callSeconds === undefined ? {} : { limits: { callSeconds, totalSeconds: 2 * callSeconds } }),
  });
  const { record } = config;
  return record === undefined ? model : recordingModel(model, appendTo(record, composeSecrets(config)), systemClock);
}

function appendTo(file: string, secrets: Secrets): (line: string) => Promise<void> {
  return async (line) =>
    appendFile(file, `${JSON.stringify(await redactValue(JSON.parse(line), secrets))}\n`).catch((error: unknown) => {
      throw diskError(file, error);
    });
}

function playback(file: string, tell: (text: string) => void): ChatModel {
  const onStale = (role: string) =>
    tell(`The ${role}'s prompts are no longer those of the recording ${basename(file)}.`);
  return recordedModel(recordedLines(file), { clock: systemClock, name: basename(file), onStale });
}

function recordedLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (cause) {
    const remedy = 'Give a file that FATHOM_RECORD wrote.';
    throw new InputError([{ source: 'FATHOM_PLAYBACK', message: `${file} cannot be read`, remedy }], { cause });
  }
}

/** What secrets look like, and those of this operator by value; `more`: those that only the server has. */
export function composeSecrets(config: Config, more: (string | undefined)[] = []): Secrets {
  const { variables, network } = config.access;
  const addresses = [...Object.values(variables), network?.upstream, config.model?.baseUrl];
  return createSecrets([config.model?.apiKey, ...more, ...addresses.flatMap(passwordIn)]);
}

/** The password in an address, as it stands there and decoded. */
export function passwordIn(address: string | undefined): string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { password } = new URL(address);
  // The query's decoder takes what is no valid escape as it stands.
  return password === '' ? [] : [password, new URLSearchParams(`p=${password.replaceAll('+', '%2B')}`).get('p') ?? ''];
}

/** @param log Told of what the engine cannot limit, before the first container; absent: nobody is. */
export function composeSandboxes(config: Config, log?: Logger): SandboxHost {
  // A container outlives every run, and ends by itself where nothing else ends it.
  const lifeSeconds = Math.max(DEFAULT_LIMITS.lifeSeconds, config.settings.seconds + 3600);
  const address = config.dockerHost === undefined ? {} : { host: config.dockerHost };
  const runtime = config.sandboxRuntime === undefined ? {} : { runtime: config.sandboxRuntime };
  const { network, imageBytes } = config.access;
  // What a set-up leaves has to fit where images are kept.
  const layer = imageBytes === undefined ? {} : { layerBytes: imageBytes };
  return createDockerHost({
    ...(log === undefined ? {} : { log }),
    ...{ ...address, ...runtime, ...(network === undefined ? {} : { network }) },
    image: config.settings.sandboxImage,
    folder: resolve(config.dataDir),
    owner: ownerOf(config.dataDir),
    limits: { lifeSeconds, diskBytes: config.diskBytes, ...layer },
  });
}

/** Whoever shares a data directory is one Fathom to the engine. */
const ownerOf = (dataDir: string): string => createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12);

/** Everything a run on this machine needs, with its artefacts and transcripts in `folder`. */
export async function composePorts(
  config: Config,
  run: Run,
  folder: string,
  publishers: Publisher[],
): Promise<PipelinePorts> {
  const secrets = composeSecrets(config);
  const sandboxes = composeSandboxes(config);
  const tell = (text: string) => {
    const event = { at: systemClock.now().toISOString(), type: 'note', text } as const;
    for (const publisher of publishers) publisher.publish(run.id, event);
  };
  const ledger = guardLedger(createFolderLedger(folder), secrets);
  const { budgetUsd, budgetTokens, roles } = run.settings;
  const limits = { usd: budgetUsd, unpricedTokens: budgetTokens, agentUsd: agentUsd(roles) };
  return {
    model: composeModel(config, tell),
    sandboxes,
    workspaces: createWorkspaces({
      dataDir: config.dataDir,
      environment: config.environment,
      sandboxUid: async () => sandboxes.userOnHost?.(),
    }),
    ledger,
    trajectories: guardTrajectories(createFolderTrajectories(join(folder, 'trajectories')), secrets),
    budget: createRunBudget(limits, ledger, await ledger.spent(run.id)),
    clock: systemClock,
    prompts: loadPrompts(promptsFolder),
    publishers,
    repositorySettings: applyRepositoryConfig,
    repositoryNotes: reductionsOf,
    version,
    secrets,
    access: config.access,
  };
}

/** An agent's name begins with its role: `answerer-Q1`. */
function agentUsd(roles: Run['settings']['roles']): (agent: string) => number {
  return (agent) => {
    const role = Object.keys(roles).find((name) => agent.startsWith(name)) as keyof typeof roles | undefined;
    return role ? roles[role].limits.usd : Number.POSITIVE_INFINITY;
  };
}
