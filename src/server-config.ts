import { z } from 'zod';
import { type Config, readConfig, readVariables } from './config.ts';
import { InputError, type Problem } from './domain/errors.ts';
import { type GitHubAppConfig, readGitHubAppConfig, serverProblem } from './github-app-config.ts';
import { type ProviderRule, readProviders } from './providers-config.ts';

const integer = (low: number, high: number) => z.coerce.number().int().min(low).max(high);
const amount = z.coerce.number().positive();
const GB = 1e9;

/** What the server takes from the environment beside what every run does, and what names the App. */
export const Environment = z.object({
  WEBHOOK_SECRET: z.string().min(8, 'is shorter than 8 characters'),
  HOST: z.string().default('127.0.0.1'),
  PORT: integer(0, 65_535).default(3000),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'does not begin with postgresql://')
    .optional(),
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

export interface ServerConfig extends Config, GitHubAppConfig {
  webhookSecret: string;
  host: string;
  port: number;
  databaseUrl: string | undefined;
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
  const runs = readConfig({}, folder, variables);
  const { app, env, providers, problems } = readServer(readVariables(folder, variables).variables);
  const all = [...runs.problems, ...problems];
  if (app === undefined || env === undefined || all.length > 0) throw new InputError(all);
  return { ...serverConfig(runs.config, app, env), providers };
}

/** Everything that is wrong with what only the server is told: not with the settings of runs, nor with `.env`. */
export const serverProblems = (folder?: string, variables?: NodeJS.Dict<string>): Problem[] =>
  readServer(readVariables(folder, variables).variables).problems;

function readServer(variables: NodeJS.Dict<string>) {
  const { config: app, problems } = readGitHubAppConfig(variables);
  const { data: env, error } = Environment.safeParse(variables);
  problems.push(...(error?.issues ?? []).map((issue) => serverProblem(issue, variables)));
  const providers = collect(problems, () => readProviders(variables['FATHOM_PROVIDERS'], variables));
  return { app, env, providers, problems };
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

function serverConfig(config: Config, app: GitHubAppConfig, env: Environment): Omit<ServerConfig, 'providers'> {
  return {
    ...config,
    ...app,
    webhookSecret: env.WEBHOOK_SECRET,
    host: env.HOST,
    port: env.PORT,
    databaseUrl: env.DATABASE_URL,
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
