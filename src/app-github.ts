import type { Logger } from 'pino';
import { composeSecrets, passwordIn } from './cli/compose.ts';
import { type FathomError, ForgeError, InputError } from './domain/errors.ts';
import type { Forge, ForgeRepositories, Secrets } from './domain/ports/index.ts';
import { systemClock } from './domain/system-clock.ts';
import { createForge } from './github/create-forge.ts';
import { type AppIdentity, type AppSettings, createInstallations, type Installations } from './github/installations.ts';
import { guardForge } from './secrets/guard.ts';
import { keepTrying } from './server/keep-trying.ts';
import { sayIfSlow } from './server/say-if-slow.ts';
import type { ServerConfig } from './server-config.ts';

/** The App as the configuration names it. `signal` ends its requests. */
export function appSettings({ app }: ServerConfig, log: Logger, signal: AbortSignal): AppSettings {
  const { appId, privateKey, apiUrl } = app;
  return { appId, privateKey, clock: systemClock, log, signal, ...(apiUrl === undefined ? {} : { baseUrl: apiUrl }) };
}

/** A start that GitHub's limits hold up longer is put off, so that others have its place. */
const QUESTION_SECONDS = 30;

/** GitHub as the App sees it, with nothing secret in what is written there. */
export function composeForge(config: ServerConfig, installations: Installations): Forge & ForgeRepositories {
  const secrets = serverSecrets(config);
  return guardForge(createForge(installations, { redact: secrets.redact, questionSeconds: QUESTION_SECONDS }), secrets);
}

/**
 * Who the App is, as soon as GitHub says so; each time that it does not is a line of the log.
 * @throws InputError where GitHub knows no such App, or not with this key
 */
export async function meetGitHub(config: ServerConfig, log: Logger, signal: AbortSignal): Promise<AppIdentity> {
  const address = config.app.apiUrl ?? 'https://api.github.com';
  // Each try is one request: whoever reads the log is told once of each.
  const { identity } = createInstallations({ ...appSettings(config, log, signal), pauses: [] });
  const ask = () => sayIfSlow(log, `GitHub at ${address} to say who the App is`, identity);
  try {
    return await keepTrying(ask, { what: 'GitHub', passes, remedy: REMEDY, log, clock: systemClock, signal });
  } catch (error) {
    throw isUnknownApp(error) ? notAccepted(address, error) : error;
  }
}

const REMEDY =
  'Check the network, GITHUB_API_URL and https://www.githubstatus.com. Runs start by themselves once GitHub answers.';

const isUnknownApp = (error: unknown): error is ForgeError =>
  error instanceof ForgeError && error.failure === 'unauthorized';

const passes = (error: FathomError): boolean => error instanceof ForgeError && !isUnknownApp(error);

function notAccepted(address: string, cause: ForgeError): InputError {
  const source = 'APP_ID and the private key';
  const message = `are not accepted at ${address}: ${cause.message}`;
  const remedy =
    "Check the id on top of the App's settings page, that the key was made there, and that this machine's clock is right; for GitHub Enterprise Server also GITHUB_API_URL.";
  return new InputError([{ source, message, remedy }], { cause });
}

/** Every secret that the server was told, so that none is in what it writes: comments, stored runs, log lines. */
export function serverSecrets(config: ServerConfig): Secrets {
  const { privateKey } = config.app;
  const keys = config.providers?.map((rule) => rule.apiKey) ?? [];
  const { webhookSecret, metricsToken, databaseUrl } = config;
  return composeSecrets(config, [privateKey, webhookSecret, metricsToken, ...keys, ...passwordIn(databaseUrl)]);
}
