import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Config, loadConfig, readVariables } from './config.ts';
import { InputError, type Problem } from './domain/errors.ts';
import { type ProviderRule, readProviders } from './providers-config.ts';
import { settingProblem } from './setting-problem.ts';

const integer = (low: number, high: number) => z.coerce.number().int().min(low).max(high);
const amount = z.coerce.number().positive();
const label = z.string().max(50);
const GB = 1e9;

/** What the server takes from the environment beside what every run does. */
export const Environment = z.object({
  APP_ID: integer(1, Number.MAX_SAFE_INTEGER),
  PRIVATE_KEY: z.string().optional(),
  PRIVATE_KEY_PATH: z.string().optional(),
  WEBHOOK_SECRET: z.string().min(8, 'is shorter than 8 characters'),
  GITHUB_API_URL: z.url().optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: integer(0, 65_535).default(3000),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'does not begin with postgresql://')
    .optional(),
  FATHOM_LABEL_RESOLVE: label.default('auto-triage'),
  FATHOM_LABEL_DIAGNOSE: label.default('auto-diagnose'),
  FATHOM_PERMISSION: z.enum(['write', 'triage']).default('write'),
  FATHOM_ALLOWED_BOTS: z
    .string()
    .regex(/^\d+(\s*,\s*\d+)*$/, 'is not a list of ids: 123, 456')
    .optional(),
  FATHOM_PROVIDERS: z.string().optional(),
  FATHOM_CONCURRENCY: integer(1, 100).default(2),
  FATHOM_REPOSITORY_CONCURRENCY: integer(1, 100).default(1),
  FATHOM_INSTALLATION_CONCURRENCY: integer(1, 1000).default(10),
  FATHOM_REPOSITORY_MONTH_USD: amount.default(100),
  FATHOM_REPOSITORY_MONTH_TOKENS: integer(1000, 1e12).default(200_000_000),
  FATHOM_INSTALLATION_MONTH_USD: amount.default(300),
  FATHOM_INSTALLATION_MONTH_TOKENS: integer(1000, 1e12).default(600_000_000),
  FATHOM_RETENTION_DAYS: integer(1, 3650).default(90),
  FATHOM_TRANSCRIPT_DAYS: integer(1, 3650).optional(),
  FATHOM_MIRRORS_GB: amount.default(20),
  FATHOM_WORKSPACES_GB: amount.default(20),
  FATHOM_ARTEFACTS_GB: amount.default(10),
  FATHOM_DRAIN_SECONDS: integer(0, 3600).default(20),
  FATHOM_LOG_LEVEL: z.enum(['error', 'warn', 'info', 'debug']).default('info'),
  FATHOM_METRICS_TOKEN: z.string().min(16, 'is shorter than 16 characters').optional(),
});
type Environment = z.infer<typeof Environment>;

export interface ServerConfig extends Config {
  app: { appId: number; privateKey: string; webhookSecret: string; apiUrl: string | undefined };
  host: string;
  port: number;
  databaseUrl: string | undefined;
  labels: { resolve: string; diagnose: string };
  permission: 'write' | 'triage';
  allowedBots: number[];
  /** Which provider may see whose code; undefined: the environment's, everybody's. */
  providers: ProviderRule[] | undefined;
  concurrency: number;
  perRepository: number;
  perInstallation: number;
  /** What may be spent in a calendar month (UTC); tokens are those of calls without a known price. */
  months: Record<'repository' | 'installation', { usd: number; unpricedTokens: number }>;
  retentionDays: number;
  transcriptDays: number;
  /** Bytes that each kind may take on the disk or in the database. */
  diskCaps: Record<'mirrors' | 'workspaces' | 'artefacts' | 'images', number>;
  drainSeconds: number;
  logLevel: Environment['FATHOM_LOG_LEVEL'];
  metricsToken: string | undefined;
}

/**
 * Reads the settings of the server from the environment and `.env` in `folder`.
 * @throws InputError with every problem at once, those of the runs' settings among them.
 */
export function loadServerConfig(folder?: string, variables?: NodeJS.Dict<string>): ServerConfig {
  const problems: Problem[] = [];
  const config = collect(problems, () => loadConfig({}, folder, variables));
  const read = readVariables(folder, variables).variables;
  const parsed = Environment.safeParse(read);
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => problemOf(issue, read)));
  const providers = collect(problems, () => readProviders(read['FATHOM_PROVIDERS'], read));
  const privateKey = collect(problems, () => readPrivateKey(read['PRIVATE_KEY'], read['PRIVATE_KEY_PATH']));
  if (parsed.success) problems.push(...contradictions(parsed.data));
  if (config === undefined || privateKey === undefined || !parsed.success || problems.length > 0) {
    throw new InputError(problems);
  }
  return { ...serverConfig(config, parsed.data, privateKey), providers };
}

function collect<T>(problems: Problem[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

const missing: Record<string, string> = {
  APP_ID: "Set the App's id: it stands on top of the App's settings page.",
  WEBHOOK_SECRET: "Set the secret that is entered in the App's webhook settings; without one nothing is started.",
};

const HOST_API = 'https://HOST/api/v3';

/** Never shown, not even when they are wrong. */
const secret = new Set(['WEBHOOK_SECRET', 'PRIVATE_KEY', 'DATABASE_URL', 'FATHOM_METRICS_TOKEN']);

function problemOf(issue: z.core.$ZodIssue, variables: NodeJS.Dict<string>): Problem {
  const source = String(issue.path[0]);
  const absent = variables[source] === undefined;
  const remedy =
    (absent ? missing[source] : undefined) ?? `Correct ${source}; docs/operations.md lists what it may be.`;
  if (absent) return { source, message: 'is not set', remedy };
  const value = secret.has(source) ? undefined : variables[source];
  const problem = { ...settingProblem(source, issue, value), remedy };
  // The address of a model's API, which the words for addresses show, is not what GitHub's looks like.
  return source === 'GITHUB_API_URL'
    ? { ...problem, message: `"${value}" is no address such as ${HOST_API}` }
    : problem;
}

/** PEM as it is, with `\n` for its line ends, in base64, or in a file. */
function readPrivateKey(value: string | undefined, path: string | undefined): string {
  const source = value === undefined ? 'PRIVATE_KEY_PATH' : 'PRIVATE_KEY';
  const fail = (message: string, remedy: string, cause?: unknown): never => {
    throw new InputError([{ source, message, remedy }], { cause });
  };
  if (value === undefined && path === undefined) {
    return fail('is not set', "Give the file with the App's private key, or the key itself in PRIVATE_KEY.");
  }
  const text =
    value ?? readText(path ?? '', (cause) => fail(`${path} cannot be read`, 'Give the path of the .pem file.', cause));
  try {
    const pem = text.includes('-----BEGIN') ? text.replaceAll('\\n', '\n') : Buffer.from(text, 'base64').toString();
    createPrivateKey(pem);
    return pem;
  } catch (cause) {
    return fail('is no private key', "Use the .pem file that GitHub gave when the App's key was made.", cause);
  }
}

function readText(path: string, fail: (cause: unknown) => never): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    return fail(cause);
  }
}

function contradictions(env: Environment): Problem[] {
  if (env.FATHOM_LABEL_RESOLVE.toLowerCase() !== env.FATHOM_LABEL_DIAGNOSE.toLowerCase()) return [];
  const source = 'FATHOM_LABEL_RESOLVE, FATHOM_LABEL_DIAGNOSE';
  return [{ source, message: 'are the same label', remedy: 'Give each mode a label of its own.' }];
}

function serverConfig(config: Config, env: Environment, privateKey: string): Omit<ServerConfig, 'providers'> {
  return {
    ...config,
    app: { appId: env.APP_ID, privateKey, webhookSecret: env.WEBHOOK_SECRET, apiUrl: env.GITHUB_API_URL },
    host: env.HOST,
    port: env.PORT,
    databaseUrl: env.DATABASE_URL,
    labels: { resolve: env.FATHOM_LABEL_RESOLVE, diagnose: env.FATHOM_LABEL_DIAGNOSE },
    permission: env.FATHOM_PERMISSION,
    allowedBots: env.FATHOM_ALLOWED_BOTS?.split(',').map(Number) ?? [],
    concurrency: env.FATHOM_CONCURRENCY,
    perRepository: env.FATHOM_REPOSITORY_CONCURRENCY,
    perInstallation: env.FATHOM_INSTALLATION_CONCURRENCY,
    months: {
      repository: { usd: env.FATHOM_REPOSITORY_MONTH_USD, unpricedTokens: env.FATHOM_REPOSITORY_MONTH_TOKENS },
      installation: { usd: env.FATHOM_INSTALLATION_MONTH_USD, unpricedTokens: env.FATHOM_INSTALLATION_MONTH_TOKENS },
    },
    retentionDays: env.FATHOM_RETENTION_DAYS,
    transcriptDays: env.FATHOM_TRANSCRIPT_DAYS ?? env.FATHOM_RETENTION_DAYS,
    diskCaps: {
      mirrors: env.FATHOM_MIRRORS_GB * GB,
      workspaces: env.FATHOM_WORKSPACES_GB * GB,
      artefacts: env.FATHOM_ARTEFACTS_GB * GB,
      images: config.access.imageBytes ?? Number.POSITIVE_INFINITY,
    },
    drainSeconds: env.FATHOM_DRAIN_SECONDS,
    logLevel: env.FATHOM_LOG_LEVEL,
    metricsToken: env.FATHOM_METRICS_TOKEN,
  };
}
