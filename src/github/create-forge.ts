import type { Forge, ForgeRepositories, RepositoryRef } from '../domain/ports/forge.ts';
import { unlessAborted } from '../domain/unless-aborted.ts';
import type { Installations } from './installations.ts';
import { createIssueComments } from './issue-comments.ts';
import { findLabelEvent, issueState, type Redact, takeSnapshot } from './issue-reader.ts';
import { openWork, pullRequestsAt } from './open-work.ts';
import { permissionOf } from './permission.ts';
import { propose } from './propose.ts';
import { createForgeRepositories } from './repositories.ts';
import { withdraw } from './withdraw.ts';

export interface ForgeOptions {
  gitPath?: string | undefined;
  redact?: Redact;
  /**
   * Seconds that a question about an issue, or about who may ask, waits for rate limits; as long as any request when
   * absent. Whoever asks such questions can come again later, and keeps others waiting until then.
   */
  questionSeconds?: number;
}

/**
 * GitHub as a run sees it, through the installation that reaches each repository. Rate limits are waited out, failures
 * by chance repeated where that is harmless; what remains is a ForgeError.
 *
 * @param options `gitPath`: the folders in which git is looked for, as in the variable PATH; `redact`: what takes secrets
 * out of what is read of an issue
 */
export function createForge(
  installations: Installations,
  { gitPath = '/usr/local/bin:/usr/bin:/bin', redact = async (text) => text, questionSeconds }: ForgeOptions = {},
): Forge & ForgeRepositories {
  const { octokitFor, identity } = installations;
  const asking = (issue: RepositoryRef) => octokitFor(issue, undefined, questionSeconds);
  return {
    ...createForgeRepositories(installations),
    ...createIssueComments((issue) => octokitFor(issue), identity),
    permission: (issue, actor) => permissionOf(asking(issue), issue, actor),
    issueState: (issue, trigger) => issueState(asking(issue), issue, trigger, redact),
    snapshot: (issue, trigger, text) => takeSnapshot(asking(issue), issue, trigger, text, redact),
    labelEvent: (issue, event) => findLabelEvent(asking(issue), issue, event),
    openWork: (issue) => openWork(asking(issue), issue),
    pullRequestsAt: (issue, places) => pullRequestsAt(octokitFor(issue), issue, places),
    propose: async (proposal, signal) => {
      const octokit = octokitFor(proposal.issue, signal);
      const cleaner = octokitFor(proposal.issue);
      return propose(octokit, await unlessAborted(identity(), signal), proposal, { gitPath, signal, cleaner });
    },
    withdraw: async (issue) => withdraw(asking(issue), await identity(), issue),
    cloneCredential: (ref) => cloneCredential(installations, ref),
  };
}

async function cloneCredential(installations: Installations, ref: RepositoryRef) {
  const { token, expiresAt } = await installations.mint(ref, { contents: 'read', metadata: 'read' });
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  return { header: `Authorization: Basic ${basic}`, expiresAt };
}
