import type { Octokit } from '@octokit/rest';
import { ForgeError } from '../domain/errors.ts';
import type { Permission, RepositoryRef } from '../domain/ports/forge.ts';

const known: readonly string[] = ['admin', 'maintain', 'write', 'triage', 'read', 'none'] satisfies Permission[];

/**
 * What GitHub says that `actor` may do in the repository. An organization's own role counts as the role that it is
 * built upon. Who GitHub does not know there may do nothing.
 * https://docs.github.com/rest/collaborators/collaborators#get-repository-permissions-for-a-user
 *
 * @throws ForgeError for every other refusal, so that nobody is let through by a failure.
 */
export async function permissionOf(octokit: Octokit, ref: RepositoryRef, actor: string): Promise<Permission> {
  const { owner, repo } = ref;
  const answer = await octokit.rest.repos
    .getCollaboratorPermissionLevel({ owner, repo, username: actor })
    .catch((error: unknown) => {
      if (error instanceof ForgeError && error.failure === 'not-found') return undefined;
      throw error;
    });
  if (answer === undefined) return 'none';
  const { role_name: role, permission } = answer.data;
  return [role, permission].find(isPermission) ?? 'none';
}

export const mayWrite = (permission: Permission): boolean => ['admin', 'maintain', 'write'].includes(permission);

const isPermission = (name: string | undefined): name is Permission => name !== undefined && known.includes(name);
