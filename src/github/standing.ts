import type { Octokit } from '@octokit/rest';
import type { Proposal } from '../domain/ports/forge.ts';
import { findIssue } from './issue-reader.ts';

/**
 * Why nothing may be written for the issue any more, or undefined. Asked before each write: a delivery that tells of it
 * may be late, or lost. @throws ForgeError
 */
export async function standsNoMore(
  octokit: Octokit,
  { issue, label }: Pick<Proposal, 'issue' | 'label'>,
): Promise<string | undefined> {
  const found = await findIssue(octokit, issue);
  if (found === undefined || found.pull_request !== undefined) return 'The issue is no longer there.';
  if (found.state !== 'open') return 'The issue was closed in the meantime.';
  if (found.locked) return 'The issue was locked in the meantime.';
  const labels = found.labels.map((one) => (typeof one === 'string' ? one : (one.name ?? '')).toLowerCase());
  if (label === undefined || labels.includes(label.toLowerCase())) return undefined;
  return 'The label was taken off in the meantime.';
}
