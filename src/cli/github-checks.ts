import { FathomError, InputError } from '../domain/errors.ts';
import type { ForgeRepositories, RepositoryRef } from '../domain/ports/forge.ts';
import { parseRepositoryConfig } from '../repository-config.ts';
import type { ServerConfig } from '../server-config.ts';
import { type Check, settingChecks } from './check.ts';
import { labelSpecs, openGitHub } from './github-access.ts';

const needed = { metadata: 'read', contents: 'write', issues: 'write', pull_requests: 'write' } as const;
const ranks = ['none', 'read', 'write', 'admin'];
const configPath = '.github/fathom.yml';
const configBytes = 1024 * 1024;

/**
 * What the App may do on a repository, its labels there, and the repository's own settings. Writes nothing. What is wrong
 * with the App's settings, or cannot be asked, is a check too.
 */
export async function checkGitHub(ref: RepositoryRef): Promise<Check[]> {
  try {
    const { forge, config } = openGitHub();
    const permissions = await checkPermissions(forge, ref);
    const { defaultBranch } = await forge.repository(ref);
    return [permissions, await checkLabels(forge, ref, config), await checkConfig(forge, ref, defaultBranch)];
  } catch (error) {
    if (error instanceof InputError) return settingChecks(error);
    if (!(error instanceof FathomError)) throw error;
    return [{ name: 'GitHub', state: 'broken', detail: error.message, remedy: error.remedy }];
  }
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

async function checkLabels(forge: ForgeRepositories, ref: RepositoryRef, config: ServerConfig): Promise<Check> {
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
