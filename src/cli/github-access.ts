import { InputError } from '../domain/errors.ts';
import type { ForgeRepositories, LabelSpec, RepositoryRef } from '../domain/ports/forge.ts';
import { systemClock } from '../domain/system-clock.ts';
import { createForge } from '../github/create-forge.ts';
import { createInstallations } from '../github/installations.ts';
import { type GitHubAppConfig, loadGitHubAppConfig } from '../github-app-config.ts';
import { createLog } from '../server/log.ts';

const limitSeconds = 60;

/** The code host as the configured App sees it, for a command. @throws InputError with every wrong setting of the App */
export function openGitHub(): { forge: ForgeRepositories; config: GitHubAppConfig } {
  const config = loadGitHubAppConfig();
  const { appId, privateKey, apiUrl } = config.app;
  const installations = createInstallations({
    appId,
    privateKey,
    clock: systemClock,
    log: createLog('silent'),
    limitSeconds,
    ...(apiUrl === undefined ? {} : { baseUrl: apiUrl }),
  });
  return { forge: createForge(installations), config };
}

export function parseRepository(name: string): RepositoryRef {
  const [owner, repo, ...rest] = name.split('/');
  if (owner && repo && rest.length === 0) return { owner, repo };
  throw new InputError([{ source: name, message: 'is no repository', remedy: 'Write it as OWNER/REPO.' }]);
}

/** The labels that ask for a run. */
export const labelSpecs = ({ labels }: Pick<GitHubAppConfig, 'labels'>): LabelSpec[] => [
  {
    name: labels.resolve,
    color: '1f6feb',
    description: 'Fathom: diagnose this issue, repair it, open a draft pull request',
  },
  { name: labels.diagnose, color: '0e8a16', description: 'Fathom: diagnose this issue' },
];
