import { readVariables } from '../config.ts';
import { InputError } from '../domain/errors.ts';
import type { ForgeRepositories, RepositoryRef } from '../domain/ports/forge.ts';
import type { GitHubAppConfig } from '../github-app-config.ts';
import { parseRepositoryConfig } from '../repository-config.ts';
import { serverProblems } from '../server-config.ts';
import { type Check, settingChecks, skipped, skippedFor, tried } from './check.ts';
import { labelSpecs, openGitHub } from './github-access.ts';
import { tellAsking } from './tell-asking.ts';

const needed = { metadata: 'read', contents: 'write', issues: 'write', pull_requests: 'write' } as const;
const ranks = ['none', 'read', 'write', 'admin'];
const configPath = '.github/fathom.yml';
const configBytes = 1024 * 1024;

/** What is wrong with what only the server is told. Without a webhook secret GitHub can be asked, and nothing started. */
export function checkServerSettings(): Check[] {
  const isMissing = (source: string) => source === SECRET && readVariables().variables[SECRET] === undefined;
  return serverProblems().flatMap((problem) => {
    const checks = settingChecks([problem]);
    return isMissing(problem.source) ? checks.map((check): Check => ({ ...check, state: 'warning' })) : checks;
  });
}

const SECRET = 'WEBHOOK_SECRET';

/**
 * What the App may do on a repository, its labels there, and the repository's own settings. Writes nothing. What cannot be
 * asked is a check too.
 */
export async function checkGitHub(ref: RepositoryRef): Promise<Check[]> {
  try {
    return await checkInstallation(openGitHub(), ref);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [skippedFor('GitHub', error.problems)];
  }
}

async function checkInstallation({ forge, config }: ReturnType<typeof openGitHub>, ref: RepositoryRef) {
  tellAsking(`GitHub about ${ref.owner}/${ref.repo}`);
  const rest = [
    ['labels', () => checkLabels(forge, ref, config)],
    ['fathom.yml', async () => checkConfig(forge, ref, (await forge.repository(ref)).defaultBranch)],
  ] as const;
  const granted = await tried('GitHub', async () => [await checkPermissions(forge, ref)]);
  const seen = granted.some(({ name }) => name === 'permissions');
  const others = rest.map(([name, look]) =>
    seen ? tried(name, async () => [await look()]) : [skipped(name, 'the App did not get to see the repository')],
  );
  return [...granted, ...(await Promise.all(others)).flat()];
}

async function checkPermissions(forge: ForgeRepositories, ref: RepositoryRef): Promise<Check> {
  const granted = await forge.grantedPermissions(ref);
  const missing = Object.entries(needed).filter(([name, level]) => {
    return ranks.indexOf(granted[name] ?? 'none') < ranks.indexOf(level);
  });
  if (missing.length === 0) {
    const detail = Object.entries(needed).map(([permission, level]) => `${permission} ${level}`);
    return { name: 'permissions', state: 'ok', detail: detail.join(' · ') };
  }
  return {
    name: 'permissions',
    state: 'broken',
    detail: `missing: ${missing.map(([permission, level]) => `${permission} ${level}`).join(', ')}`,
    remedy: "Grant them in the App's settings, then accept them where it is installed.",
  };
}

async function checkLabels(forge: ForgeRepositories, ref: RepositoryRef, config: GitHubAppConfig): Promise<Check> {
  const there = new Set((await forge.labels(ref)).map((label) => label.toLowerCase()));
  const wanted = labelSpecs(config).map((label) => label.name);
  const missing = wanted.filter((label) => !there.has(label.toLowerCase()));
  if (missing.length === 0) return { name: 'labels', state: 'ok', detail: wanted.join(' · ') };
  return {
    name: 'labels',
    state: 'warning',
    detail: `missing: ${missing.join(', ')}`,
    remedy: `Create them: npx fathom labels ${ref.owner}/${ref.repo}`,
  };
}

async function checkConfig(forge: ForgeRepositories, ref: RepositoryRef, branch: string): Promise<Check> {
  const name = 'fathom.yml';
  const bytes = await forge.readFile(ref, configPath, branch, configBytes);
  if (bytes === undefined) return { name, state: 'ok', detail: `none on ${branch}: the operator's settings hold` };
  try {
    parseRepositoryConfig(bytes === 'too-large' ? ' '.repeat(configBytes) : bytes.toString('utf8'));
    return { name, state: 'ok', detail: `understood, on ${branch}` };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const problems = error.problems.map(({ source, message }) => `${source}: ${message}`);
    return { name, state: 'broken', detail: problems.join('; '), remedy: error.remedy.split('\n').join(' ') };
  }
}
