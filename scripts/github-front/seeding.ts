import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createEmulatorClient } from './emulator-client.ts';
import {
  adminLogin,
  type FrontContent,
  type FrontOptions,
  type FrontRepository,
  loginsOf,
  userToken,
} from './front-options.ts';
import { type FrontState, folderOf } from './front-state.ts';
import { git } from './git-objects.ts';

export interface SeededApp {
  id: number;
  slug: string;
  key: string;
  installation: number;
  relay: string;
  secret: string;
  permissions: Record<string, string>;
}

/** The emulator's seed: people, organizations, empty repositories, the App and its one installation. */
export function emulatorSeed(options: FrontOptions, app: SeededApp) {
  const logins = [adminLogin, ...loginsOf(options)];
  const owners = [...new Set(options.repositories.map((entry) => entry.owner))];
  const installation = (account: string, index: number) => ({
    installation_id: app.installation + index,
    account,
    repository_selection: 'selected',
    repositories: options.repositories
      .filter((entry) => entry.owner === account)
      .map((entry) => `${account}/${entry.name}`),
  });
  return {
    tokens: Object.fromEntries(logins.map((login) => [userToken(login), { login }])),
    github: {
      users: logins.map((login) => ({ login, email: `${login}@example.com` })),
      orgs: owners.map((login) => ({ login, members: [{ login: adminLogin, role: 'admin' }] })),
      repos: options.repositories.map((entry) => ({
        owner: entry.owner,
        name: entry.name,
        private: entry.private ?? false,
        default_branch: entry.defaultBranch ?? 'main',
        auto_init: false,
      })),
      apps: [
        {
          app_id: app.id,
          slug: app.slug,
          name: app.slug,
          private_key: app.key,
          permissions: app.permissions,
          events: ['issues', 'issue_comment', 'pull_request', 'push'],
          webhook_url: app.relay,
          webhook_secret: app.secret,
          installations: owners.map(installation),
        },
      ],
    },
  };
}

/** Fills the repositories: roles, content in git and in the emulator, labels, issues. */
export async function fillRepositories(state: FrontState, options: FrontOptions): Promise<void> {
  for (const repository of options.repositories) await fillRepository(state, repository);
}

async function fillRepository(state: FrontState, repository: FrontRepository): Promise<void> {
  const { client } = state;
  const fullName = `${repository.owner}/${repository.name}`;
  const branch = repository.defaultBranch ?? 'main';
  const folder = folderOf(state, fullName);
  await importContent(folder, branch, repository.content);
  await state.bridge.toEmulator(fullName, folder, branch);
  if (repository.drafts === false) state.withoutDrafts.add(fullName);
  for (const [login, role] of Object.entries(repository.roles ?? {})) {
    const permission = role === 'write' ? 'push' : role === 'read' ? 'pull' : role;
    await client.need('PUT', `/repos/${fullName}/collaborators/${login}`, { permission });
  }
  for (const name of repository.labels ?? []) {
    await client.need('POST', `/repos/${fullName}/labels`, { name, color: '5319e7' });
  }
  for (const { author, ...issue } of repository.issues ?? []) {
    const asAuthor = createEmulatorClient(client.url, userToken(author));
    await asAuthor.need('POST', `/repos/${fullName}/issues`, issue);
  }
}

const author = {
  GIT_AUTHOR_NAME: 'Octo Admin',
  GIT_AUTHOR_EMAIL: `${adminLogin}@example.com`,
  GIT_COMMITTER_NAME: 'Octo Admin',
  GIT_COMMITTER_EMAIL: `${adminLogin}@example.com`,
};

async function importContent(folder: string, branch: string, content: FrontContent): Promise<void> {
  await mkdir(folder, { recursive: true });
  await git(folder, ['init', '-q', '--bare', '-b', branch]);
  await git(folder, ['config', 'http.receivepack', 'true']);
  const worktree = await mkdtemp(join(tmpdir(), 'github-front-seed-'));
  try {
    const source = 'repository' in content ? content.repository : worktree;
    if (!('repository' in content)) await commitAll(worktree, branch, content);
    await git(folder, ['fetch', '-q', '--no-tags', source, `HEAD:refs/heads/${branch}`]);
  } finally {
    await rm(worktree, { recursive: true, force: true });
  }
}

async function commitAll(worktree: string, branch: string, content: Exclude<FrontContent, { repository: string }>) {
  await git(worktree, ['init', '-q', '-b', branch]);
  const commits = 'commits' in content ? content.commits : [{ message: 'Import', files: {} }];
  if ('folder' in content) {
    await cp(content.folder, worktree, { recursive: true, filter: (path) => !path.split('/').includes('.git') });
  }
  let day = 1;
  for (const { message, files } of commits) {
    for (const [path, bytes] of Object.entries(files)) {
      await mkdir(dirname(join(worktree, path)), { recursive: true });
      await writeFile(join(worktree, path), bytes);
    }
    const date = `2026-01-${String(day++).padStart(2, '0')}T12:00:00+09:00`;
    await git(worktree, ['add', '-A', '-f']);
    const dated = { ...author, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    await git(worktree, ['commit', '-q', '--allow-empty', '-m', message], dated);
  }
}
