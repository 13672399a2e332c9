import type { Octokit } from '@octokit/rest';
import { ForgeError } from '../domain/errors.ts';
import type { ForgeRepositories, LabelSpec, RepositoryRef } from '../domain/ports/forge.ts';
import { createBaseFiles } from './base-files.ts';
import type { Installations } from './installations.ts';
import { repeatable } from './patient-requests.ts';

export function createForgeRepositories(installations: Installations): ForgeRepositories {
  const { octokitFor } = installations;
  return {
    async repository({ owner, repo }) {
      const found = await octokitFor({ owner, repo }).rest.repos.get({ owner, repo });
      const { default_branch: defaultBranch, clone_url: cloneUrl } = found.data;
      return { defaultBranch, cloneUrl, private: found.data.private };
    },
    branchHead: (ref, branch) => branchHead(octokitFor(ref), ref, branch),
    readFile: (ref, path, revision, limit) => readFile(octokitFor(ref), ref, path, revision, limit),
    labels: (ref) => labelsOf(octokitFor(ref), ref),
    createLabels: (ref, labels) => createLabels(octokitFor(ref), ref, labels),
    grantedPermissions: (ref) => installations.granted(ref),
  };
}

async function branchHead(octokit: Octokit, { owner, repo }: RepositoryRef, branch: string) {
  try {
    return (await octokit.rest.git.getRef({ owner, repo, ref: `heads/${branch}` })).data.object.sha;
  } catch (error) {
    if (error instanceof ForgeError && error.failure === 'not-found') return undefined;
    throw error;
  }
}

async function readFile(octokit: Octokit, ref: RepositoryRef, path: string, revision: string, limit: number) {
  const { owner, repo } = ref;
  const commit = await octokit.rest.repos.getCommit({ owner, repo, ref: revision });
  const files = createBaseFiles(octokit, ref, commit.data.commit.tree.sha);
  const found = await files.find(path);
  if (found === undefined || found.mode === '120000') return undefined;
  if ((found.size ?? 0) > limit) return 'too-large';
  const blob = await octokit.rest.git.getBlob({ owner, repo, file_sha: found.sha });
  const bytes = Buffer.from(blob.data.content, 'base64');
  return bytes.length > limit ? 'too-large' : bytes;
}

async function labelsOf(octokit: Octokit, { owner, repo }: RepositoryRef): Promise<string[]> {
  const found = await octokit.paginate(octokit.rest.issues.listLabelsForRepo, { owner, repo, per_page: 100 });
  return found.map((label) => label.name);
}

async function createLabels(octokit: Octokit, ref: RepositoryRef, labels: LabelSpec[]): Promise<string[]> {
  const { owner, repo } = ref;
  const names = new Set((await labelsOf(octokit, ref)).map((name) => name.toLowerCase()));
  const created: string[] = [];
  for (const label of labels) {
    if (names.has(label.name.toLowerCase())) continue;
    // A second label of one name is refused, so that trying again cannot make two.
    const request = repeatable;
    await octokit.rest.issues.createLabel({ owner, repo, ...label, request }).catch((error: unknown) => {
      if (!(error instanceof ForgeError && error.failure === 'unprocessable')) throw error;
    });
    created.push(label.name);
  }
  return created;
}
