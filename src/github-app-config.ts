import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readVariables } from './config.ts';
import { InputError, type Problem } from './domain/errors.ts';
import { settingProblem } from './setting-problem.ts';

const label = z.string().max(50);
const RESOLVE = 'auto-triage';
const DIAGNOSE = 'auto-diagnose';

/** What names the App on GitHub, and the labels that ask for its runs: all that a command needs that speaks for it. */
export const Environment = z.object({
  APP_ID: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  PRIVATE_KEY: z.string().optional(),
  PRIVATE_KEY_PATH: z.string().optional(),
  GITHUB_API_URL: z.url().optional(),
  FATHOM_LABEL_RESOLVE: label.default(RESOLVE),
  FATHOM_LABEL_DIAGNOSE: label.default(DIAGNOSE),
});

export interface GitHubAppConfig {
  app: { appId: number; privateKey: string; apiUrl: string | undefined };
  labels: { resolve: string; diagnose: string };
}

/** Reads no other setting of the server. @throws InputError with every problem of these at once */
export function loadGitHubAppConfig(folder?: string, variables?: NodeJS.Dict<string>): GitHubAppConfig {
  const read = readVariables(folder, variables);
  const { config, problems } = readGitHubAppConfig(read.variables);
  const all = [...read.problems, ...problems];
  if (config === undefined || all.length > 0) throw new InputError(all);
  return config;
}

/** What is wrong, beside what it comes to; undefined where something is. */
export function readGitHubAppConfig(variables: NodeJS.Dict<string>): {
  config: GitHubAppConfig | undefined;
  problems: Problem[];
} {
  const problems: Problem[] = [];
  const parsed = Environment.safeParse(variables);
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => serverProblem(issue, variables)));
  const privateKey = readPrivateKey(variables, problems);
  problems.push(...sameLabels(variables));
  if (!parsed.success || privateKey === undefined || problems.length > 0) return { config: undefined, problems };
  const { APP_ID: appId, GITHUB_API_URL: apiUrl, FATHOM_LABEL_RESOLVE, FATHOM_LABEL_DIAGNOSE } = parsed.data;
  const labels = { resolve: FATHOM_LABEL_RESOLVE, diagnose: FATHOM_LABEL_DIAGNOSE };
  return { config: { app: { appId, privateKey, apiUrl }, labels }, problems };
}

const missing: Record<string, string> = {
  APP_ID: "Set the App's id: it stands on top of the App's settings page.",
  WEBHOOK_SECRET: "Set the secret that is entered in the App's webhook settings; without one nothing is started.",
};

const HOST_API = 'https://HOST/api/v3';

/** Never shown, not even when they are wrong. */
const secret = new Set(['WEBHOOK_SECRET', 'PRIVATE_KEY', 'DATABASE_URL', 'FATHOM_METRICS_TOKEN']);

/** What is wrong with a setting that only the server has. */
export function serverProblem(issue: z.core.$ZodIssue, variables: NodeJS.Dict<string>): Problem {
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

/** PEM as it is, with `\n` for its line ends, in base64, or in a file; undefined where something is wrong with it. */
function readPrivateKey(variables: NodeJS.Dict<string>, problems: Problem[]): string | undefined {
  const [value, path] = [variables['PRIVATE_KEY'], variables['PRIVATE_KEY_PATH']];
  const fail = (message: string, remedy: string): undefined => {
    problems.push({ source: value === undefined ? 'PRIVATE_KEY_PATH' : 'PRIVATE_KEY', message, remedy });
  };
  if (value === undefined && path === undefined) {
    return fail('is not set', "Give the file with the App's private key, or the key itself in PRIVATE_KEY.");
  }
  const text = value ?? readText(path ?? '');
  if (text === undefined) return fail(`${path} cannot be read`, 'Give the path of the .pem file.');
  try {
    const pem = text.includes('-----BEGIN') ? text.replaceAll('\\n', '\n') : Buffer.from(text, 'base64').toString();
    createPrivateKey(pem);
    return pem;
  } catch {
    return fail('is no private key', "Use the .pem file that GitHub gave when the App's key was made.");
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function sameLabels(variables: NodeJS.Dict<string>): Problem[] {
  const resolve = variables['FATHOM_LABEL_RESOLVE'] ?? RESOLVE;
  const diagnose = variables['FATHOM_LABEL_DIAGNOSE'] ?? DIAGNOSE;
  if (resolve.toLowerCase() !== diagnose.toLowerCase()) return [];
  const source = 'FATHOM_LABEL_RESOLVE, FATHOM_LABEL_DIAGNOSE';
  return [{ source, message: 'are the same label', remedy: 'Give each mode a label of its own.' }];
}
