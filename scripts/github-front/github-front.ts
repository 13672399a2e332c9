import type { Deliveries } from './deliveries.ts';
import type { Faults } from './faults.ts';
import { adminLogin } from './front-options.ts';
import { type FrontReaction, type FrontState, folderOf } from './front-state.ts';
import { createFrontUser, type FrontUser } from './front-user.ts';

export interface GitHubFront {
  /** Base URL of the API and of git, on the loopback address. */
  url: string;
  appId: number;
  slug: string;
  privateKey: string;
  webhookSecret: string;
  /** Of the first repository's owner. */
  installationId: number;
  /** The App's own user. */
  bot: { id: number; login: string };
  deliveries: Deliveries;
  faults: Faults;
  reactions: FrontReaction[];
  /** `METHOD path`, or `GIT method repository service`, of every request. */
  requests: string[];
  as(login: string): FrontUser;
  /** The administrator of every repository. */
  admin: FrontUser;
  /** The bare repository that git serves. */
  gitFolder(fullName: string): string;
  /** Takes every installation token away, as when it expires or is revoked. */
  killInstallationTokens(): void;
  /** Sends what the emulator has no action for: an issue deleted or transferred, an installation changed. */
  deleteIssue(fullName: string, number: number, by: string): Promise<void>;
  transferIssue(fullName: string, number: number, by: string, movedTo: string): Promise<void>;
  changeInstallation(event: 'installation' | 'installation_repositories', action: string, by: string): Promise<void>;
  /** Links a branch to an issue, as the issue's sidebar does. */
  linkBranch(fullName: string, number: number, branch: string): void;
  stop(): Promise<void>;
}

export function createGitHubFront(
  state: FrontState,
  made: { privateKey: string; secret: string; bot: { id: number; login: string } },
  stop: () => Promise<void>,
): GitHubFront {
  const about = async (fullName: string, by: string) => ({
    repository: await state.client.need<object>('GET', `/repos/${fullName}`),
    sender: await state.client.need<object>('GET', `/users/${by}`),
    installation: { id: state.installationId },
  });
  const loseIssue = async (action: string, fullName: string, number: number, by: string, movedTo?: string) => {
    const issue = await state.client.need<object>('GET', `/repos/${fullName}/issues/${number}`);
    state.gone.set(`${fullName}#${number}`, movedTo === undefined ? {} : { movedTo });
    await state.deliveries.send('issues', { action, issue, ...(await about(fullName, by)) });
  };
  return {
    url: state.url,
    appId: state.appId,
    slug: state.slug,
    privateKey: made.privateKey,
    webhookSecret: made.secret,
    installationId: state.installationId,
    bot: made.bot,
    deliveries: state.deliveries,
    faults: state.faults,
    reactions: state.reactions,
    requests: state.requests,
    as: (login) => createFrontUser(state, login),
    admin: createFrontUser(state, adminLogin),
    gitFolder: (fullName) => folderOf(state, fullName),
    killInstallationTokens() {
      for (const [token, entry] of state.tokens) if (entry.login === undefined) state.tokens.delete(token);
    },
    deleteIssue: (fullName, number, by) => loseIssue('deleted', fullName, number, by),
    transferIssue: (fullName, number, by, movedTo) => loseIssue('transferred', fullName, number, by, movedTo),
    async changeInstallation(event, action, by) {
      const sender = await state.client.need<object>('GET', `/users/${by}`);
      const installation = { id: state.installationId };
      await state.deliveries.send(event, { action, installation, repositories: [], sender });
    },
    linkBranch(fullName, number, branch) {
      const key = `${fullName}#${number}`;
      state.linked.set(key, [...(state.linked.get(key) ?? []), branch]);
    },
    stop,
  };
}
