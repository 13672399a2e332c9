import type { Octokit } from '@octokit/rest';
import type { RepositoryRef } from '../domain/ports/forge.ts';
import type { StoredFile } from './patched-files.ts';

interface Entry {
  path: string;
  mode: string;
  type: string;
  sha: string;
}

/**
 * Files of a commit as git stores them, read through the Git Data API folder by folder: a whole tree would be cut in a
 * large repository, and the contents API follows links.
 */
export function createBaseFiles(octokit: Octokit, ref: RepositoryRef, treeSha: string) {
  const { owner, repo } = ref;
  const trees = new Map<string, Promise<Entry[]>>();
  const treeOf = (tree_sha: string): Promise<Entry[]> => {
    const known = trees.get(tree_sha);
    if (known !== undefined) return known;
    const asked = octokit.rest.git.getTree({ owner, repo, tree_sha }).then((answer) => answer.data.tree as Entry[]);
    trees.set(tree_sha, asked);
    return asked;
  };
  async function entryOf(path: string): Promise<Entry | undefined> {
    let tree: string | undefined = treeSha;
    let entry: Entry | undefined;
    for (const name of path.split('/')) {
      if (tree === undefined) return undefined;
      entry = (await treeOf(tree)).find((candidate) => candidate.path === name);
      tree = entry?.type === 'tree' ? entry.sha : undefined;
    }
    return entry?.type === 'blob' ? entry : undefined;
  }
  return {
    /** The file, or undefined where the commit has none there, or where it has a folder or a submodule. */
    async file(path: string): Promise<StoredFile | undefined> {
      const entry = await entryOf(path);
      if (entry === undefined) return undefined;
      const blob = await octokit.rest.git.getBlob({ owner, repo, file_sha: entry.sha });
      return { mode: entry.mode, content: Buffer.from(blob.data.content, 'base64') };
    },
    /** Size in bytes and name of the content, without reading it. */
    async find(path: string): Promise<{ sha: string; mode: string; size: number | undefined } | undefined> {
      const entry = (await entryOf(path)) as (Entry & { size?: number }) | undefined;
      return entry && { sha: entry.sha, mode: entry.mode, size: entry.size };
    },
  };
}
