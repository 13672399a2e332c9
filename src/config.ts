import { join } from 'node:path';
import { z } from 'zod';
import { readAccess } from './access-config.ts';
import { contradictions } from './config-contradictions.ts';
import { type Ablation, ablated, readAblations } from './domain/ablations.ts';
import { defaultRunSettings } from './domain/default-settings.ts';
import { InputError, type Problem } from './domain/errors.ts';
import type { SetUpAccess } from './domain/set-up-access.ts';
import { ActionProtocol, type RoleSettings, RunSettings } from './domain/settings.ts';
import { readDotEnv, withoutEmpty } from './dot-env.ts';
import { readRepositoryLimits, readSandboxSettings, type SandboxSettings } from './operator-limits.ts';
import { settingProblem } from './setting-problem.ts';

const integer = (low: number, high: number) => z.coerce.number().int().min(low).max(high);
const amount = z.coerce.number().positive();
const flag = z.stringbool();

/** What the environment (or `.env`) may say. Unknown variables are none of our business. */
export const Environment = z.object({
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: z.url().optional(),
  FATHOM_API: z.enum(['responses', 'chat']).optional(),
  FATHOM_MODEL: z.string().optional(),
  FATHOM_QUESTIONER_MODEL: z.string().optional(),
  FATHOM_ANSWERER_MODEL: z.string().optional(),
  FATHOM_LOCALIZER_MODEL: z.string().optional(),
  FATHOM_VERIFIER_MODEL: z.string().optional(),
  FATHOM_RESOLVER_MODEL: z.string().optional(),
  FATHOM_REASONING_EFFORT: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
  FATHOM_PROTOCOL: ActionProtocol.optional(),
  FATHOM_QUESTIONS: integer(0, 5).optional(),
  FATHOM_FINDINGS: flag.optional(),
  FATHOM_VERIFIER: z.enum(['off', 'light', 'full']).optional(),
  FATHOM_BUDGET_USD: amount.optional(),
  FATHOM_BUDGET_TOKENS: integer(1000, 1_000_000_000).optional(),
  FATHOM_ATTEMPTS: integer(1, 5).optional(),
  FATHOM_RUN_SECONDS: integer(10, 86_400).optional(),
  FATHOM_AGENT_SECONDS: integer(10, 86_400).optional(),
  FATHOM_CALL_SECONDS: integer(10, 86_400).optional(),
  FATHOM_RECORD: z.string().optional(),
  FATHOM_PLAYBACK: z.string().optional(),
  FATHOM_SANDBOX_IMAGE: z.string().optional(),
  FATHOM_DATA: z.string().optional(),
  FATHOM_PRICE_INPUT: z.coerce.number().nonnegative().optional(),
  FATHOM_PRICE_CACHED: z.coerce.number().nonnegative().optional(),
  FATHOM_PRICE_OUTPUT: z.coerce.number().nonnegative().optional(),
  DOCKER_HOST: z.string().optional(),
});
type Environment = z.infer<typeof Environment>;

/** What a command line may say; it wins over the environment, which wins over the defaults. */
export interface ConfigFlags {
  model?: string;
  api?: string;
  protocol?: string;
  questions?: string;
  findings?: boolean;
  verifier?: string;
  budget?: string;
  /** Parts to leave out: names of `ABLATIONS`, separated by commas. No variable says it: it is for experiments. */
  ablate?: string;
}

export interface ModelConfig {
  api: 'responses' | 'chat';
  baseUrl: string | undefined;
  apiKey: string;
  /** US dollars per million tokens, when the operator gives prices of their own. */
  prices: { input: number; cached: number; output: number } | undefined;
  /** Seconds that one call may take; undefined for what every call may. */
  callSeconds: number | undefined;
}

export interface Config extends SandboxSettings {
  /** Undefined where no model was named: then Fathom ranks suspects and asks nobody. */
  model: ModelConfig | undefined;
  /** A file of recorded replies that speaks instead of a model; needs no key. */
  playback: string | undefined;
  /** A file to which every reply of the model is appended. */
  record: string | undefined;
  settings: RunSettings;
  dataDir: string;
  dockerHost: string | undefined;
  /** What set-ups may reach their registries with. */
  access: SetUpAccess;
  /** The process's own variables, for programs that are started: PATH, proxies, certificates. */
  environment: NodeJS.Dict<string>;
}

/** What the environment says, laid over `.env` in `folder`, without what is empty; and what is wrong with that file. */
export function readVariables(
  folder = process.cwd(),
  variables = process.env,
): { variables: NodeJS.Dict<string>; problems: Problem[] } {
  const problems: Problem[] = [];
  return { variables: { ...readDotEnv(folder, problems), ...withoutEmpty(variables) }, problems };
}

/**
 * Reads flags, the environment and `.env` in `folder`.
 * @throws InputError with every problem at once, each naming its source and what it takes.
 */
export function loadConfig(flags: ConfigFlags = {}, folder = process.cwd(), variables = process.env): Config {
  const { config, problems } = readConfig(flags, folder, variables);
  if (problems.length > 0) throw new InputError(problems);
  return config;
}

/** As `loadConfig`, with what is wrong beside what the rest comes to: a wrong setting counts as one that is not set. */
export function readConfig(
  flags: ConfigFlags = {},
  folder = process.cwd(),
  variables = process.env,
): { config: Config; problems: Problem[] } {
  const read = readVariables(folder, variables);
  const { problems } = read;
  const merged = { ...read.variables, ...flagVariables(flags) };
  const parsed = Environment.safeParse(merged);
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => problemOf(issue, flags, merged)));
  problems.push(...contradictions(merged));
  const env = parsed.success ? parsed.data : Environment.parse(without(merged, parsed.error.issues));
  const access = readAccess(merged, problems);
  const repositoryLimits = readRepositoryLimits(merged, problems);
  const sandbox = readSandboxSettings(merged, problems);
  const ablations = ablationsOf(flags, problems);
  const config = {
    model: modelConfig(env),
    playback: env.FATHOM_PLAYBACK,
    record: env.FATHOM_RECORD,
    settings: { ...ablated(settingsOf(env), ablations), repositoryLimits },
    dataDir: env.FATHOM_DATA ?? join(folder, '.fathom'),
    dockerHost: env.DOCKER_HOST,
    ...sandbox,
    access,
    environment: variables,
  };
  return { config, problems };
}

const without = (given: NodeJS.Dict<string>, wrong: z.core.$ZodIssue[]): NodeJS.Dict<string> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.some(({ path }) => path[0] === name)));

function ablationsOf({ ablate }: ConfigFlags, problems: Problem[]): Ablation[] {
  if (ablate === undefined) return [];
  const read = readAblations(ablate, '--ablate');
  problems.push(...read.problems);
  return read.ablations;
}

type VariableFlag = Exclude<keyof ConfigFlags, 'ablate'>;

const flagNames: Record<VariableFlag, [flag: string, variable: keyof Environment]> = {
  model: ['--model', 'FATHOM_MODEL'],
  api: ['--api', 'FATHOM_API'],
  protocol: ['--protocol', 'FATHOM_PROTOCOL'],
  questions: ['--questions', 'FATHOM_QUESTIONS'],
  findings: ['--no-findings', 'FATHOM_FINDINGS'],
  verifier: ['--verifier', 'FATHOM_VERIFIER'],
  budget: ['--budget', 'FATHOM_BUDGET_USD'],
};

function flagVariables(flags: ConfigFlags): Record<string, string> {
  const names = Object.entries(flagNames) as [VariableFlag, [string, keyof Environment]][];
  return Object.fromEntries(
    names.flatMap(([name, [, variable]]) => {
      const value = flags[name];
      // `--no-findings` switches off; its absence says nothing, and must not win over the environment.
      return value === undefined || value === true ? [] : [[variable, String(value)]];
    }),
  );
}

function problemOf(issue: z.core.$ZodIssue, flags: ConfigFlags, given: NodeJS.Dict<string>): Problem {
  const variable = String(issue.path[0]);
  const name = Object.entries(flagNames).find(([key, [, named]]) => {
    const flag = flags[key as keyof ConfigFlags];
    return named === variable && flag !== undefined && flag !== true;
  });
  return settingProblem(name ? name[1][0] : variable, issue, given[variable]);
}

function modelConfig(env: Environment): ModelConfig | undefined {
  if (env.FATHOM_PLAYBACK !== undefined || !env.FATHOM_MODEL || !env.OPENAI_API_KEY) return undefined;
  const { FATHOM_PRICE_INPUT: input, FATHOM_PRICE_OUTPUT: output } = env;
  const cached = env.FATHOM_PRICE_CACHED ?? input ?? 0;
  const prices = input === undefined || output === undefined ? undefined : { input, output, cached };
  return {
    // OpenAI's own models reason with tools only on the newer API; most other servers have only the older one.
    api: env.FATHOM_API ?? (env.OPENAI_BASE_URL ? 'chat' : 'responses'),
    baseUrl: env.OPENAI_BASE_URL,
    apiKey: env.OPENAI_API_KEY,
    prices,
    callSeconds: env.FATHOM_CALL_SECONDS,
  };
}

function settingsOf(env: Environment): RunSettings {
  const model = env.FATHOM_MODEL ?? (env.FATHOM_PLAYBACK === undefined ? 'none' : 'recorded');
  const base = defaultRunSettings({
    questioner: env.FATHOM_QUESTIONER_MODEL ?? model,
    answerer: env.FATHOM_ANSWERER_MODEL ?? model,
    localizer: env.FATHOM_LOCALIZER_MODEL ?? model,
    verifier: env.FATHOM_VERIFIER_MODEL ?? model,
    resolver: env.FATHOM_RESOLVER_MODEL ?? model,
  });
  const roles = mapValues(base.roles, (role) => withOperatorsWishes(role, env));
  return RunSettings.parse({
    ...base,
    roles,
    questions: env.FATHOM_QUESTIONS ?? base.questions,
    findings: env.FATHOM_FINDINGS ?? base.findings,
    verifier: env.FATHOM_VERIFIER ?? base.verifier,
    protocol: env.FATHOM_PROTOCOL ?? base.protocol,
    budgetUsd: env.FATHOM_BUDGET_USD ?? base.budgetUsd,
    budgetTokens: env.FATHOM_BUDGET_TOKENS ?? base.budgetTokens,
    seconds: env.FATHOM_RUN_SECONDS ?? base.seconds,
    attempts: env.FATHOM_ATTEMPTS,
    sandboxImage: env.FATHOM_SANDBOX_IMAGE ?? base.sandboxImage,
  });
}

function withOperatorsWishes(role: RoleSettings, env: Environment): RoleSettings {
  const { FATHOM_REASONING_EFFORT: reasoningEffort, FATHOM_AGENT_SECONDS: seconds } = env;
  return {
    ...role,
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    limits: { ...role.limits, ...(seconds === undefined ? {} : { seconds }) },
  };
}

function mapValues<K extends string, V>(record: Record<K, V>, map: (value: V) => V): Record<K, V> {
  return Object.fromEntries(Object.entries<V>(record).map(([key, value]) => [key, map(value)])) as Record<K, V>;
}
