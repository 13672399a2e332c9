import type { Octokit } from '@octokit/rest';
import type { Proposal } from '../domain/ports/forge.ts';
import { createBaseFiles } from './base-files.ts';
import { forgeError } from './forge-failure.ts';
import { type PatchedFile, patchedFiles } from './patched-files.ts';
import { repeatable } from './patient-requests.ts';

type TreeMode = '100644' | '100755' | '120000';
const modes: readonly string[] = ['100644', '100755', '120000'] satisfies TreeMode[];

/** Blobs, trees and commits that nothing points to do no harm, and the same content has the same name. */
const request = repeatable;

/**
 * Makes a commit with the patch on top of base through the Git Data API. No author is given: then GitHub names the App
 * as author and signs the commit. Nothing points to it yet.
 *
 * @returns the commit, or the sentence for a person that says why there is none
 */
export async function commitPatch(
  octokit: Octokit,
  proposal: Proposal,
  message: string,
  { gitPath, signal }: { gitPath: string; signal: AbortSignal },
): Promise<{ sha: string; tree: string } | string> {
  const { owner, repo } = proposal.issue;
  const base = await octokit.rest.git.getCommit({ owner, repo, commit_sha: proposal.baseSha });
  const before = createBaseFiles(octokit, proposal.issue, base.data.tree.sha);
  const files = await patchedFiles(proposal.patch, before.file, { path: gitPath, signal });
  if (files === undefined) return 'The change does not apply to the base commit.';
  const refusal = refusalOf(proposal, files);
  if (refusal !== undefined) return refusal;
  const entries = [];
  for (const file of files) {
    signal.throwIfAborted();
    entries.push(await entryOf(octokit, proposal, file));
  }
  const tree = await octokit.rest.git.createTree({
    owner,
    repo,
    base_tree: base.data.tree.sha,
    tree: entries,
    request,
  });
  const made = { owner, repo, message, tree: tree.data.sha, parents: [proposal.baseSha], request };
  const commit = await octokit.rest.git.createCommit(made);
  return { sha: commit.data.sha, tree: tree.data.sha };
}

/** The diff may change nothing but the files that the patch was reviewed for, and only files and links. */
function refusalOf({ patch }: Proposal, files: PatchedFile[]): string | undefined {
  const listed = new Set(patch.files.flatMap((file) => [file.path, file.previousPath]));
  const stranger = files.find((file) => !listed.has(file.path));
  if (stranger !== undefined) return `The change touches \`${stranger.path}\`, which it does not list.`;
  const workflow = files.find((file) => file.path.toLowerCase().startsWith('.github/workflows/'));
  if (workflow !== undefined) return `The App may not change workflows, and the change touches \`${workflow.path}\`.`;
  const other = files.find((file) => file.after !== undefined && !modes.includes(file.after.mode));
  return other === undefined ? undefined : `\`${other.path}\` is neither a file nor a link.`;
}

async function entryOf(octokit: Octokit, { issue }: Proposal, { path, after }: PatchedFile) {
  const { owner, repo } = issue;
  const type = 'blob' as const;
  if (after === undefined) return { path, mode: '100644' as const, type, sha: null };
  const content = after.content.toString('base64');
  const blob = await octokit.rest.git.createBlob({ owner, repo, content, encoding: 'base64', request });
  if (blob.data.sha !== after.sha) throw forgeError('unprocessable', `GitHub stored other bytes for ${path}.`);
  return { path, mode: after.mode as TreeMode, type, sha: after.sha };
}
