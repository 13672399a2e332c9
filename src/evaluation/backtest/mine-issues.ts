import type { ClosedIssue, Decision, IssueSource, MergedFix, MinedInstance, Refusal } from './mined.ts';
import { type SplitFix, splitFix } from './split-fix.ts';

export interface Mining {
  /** owner/name */
  repository: string;
  /** Issues that were decided before, which are not asked about again. */
  decided: ReadonlySet<number>;
  /** Most instances to take in this call. */
  limit: number;
  signal: AbortSignal;
}

/**
 * Goes through the closed issues and says of each whether it makes an instance, and why not. Decisions come one by one,
 * so that whoever keeps them can go on after a stop.
 */
export async function* mineIssues(source: IssueSource, mining: Mining): AsyncGenerator<Decision> {
  const fixes = await source.mergedFixes();
  const byIssue = new Map<number, MergedFix[]>();
  for (const fix of fixes) for (const issue of fix.fixes) byIssue.set(issue, [...(byIssue.get(issue) ?? []), fix]);
  let taken = 0;
  for await (const issue of source.closedIssues()) {
    mining.signal.throwIfAborted();
    if (mining.decided.has(issue.number)) continue;
    const decision = await decide(issue, byIssue.get(issue.number) ?? [], source, mining.repository);
    yield decision;
    if (decision.taken && ++taken >= mining.limit) return;
  }
}

async function decide(
  issue: ClosedIssue,
  fixes: MergedFix[],
  source: IssueSource,
  repository: string,
): Promise<Decision> {
  const known = { issue: issue.number, title: issue.title.slice(0, 300) };
  const refused = (refusal: Refusal, detail?: string): Decision => ({
    ...{ ...known, taken: false, refusal },
    ...(detail === undefined ? {} : { detail }),
  });
  const [fix] = fixes;
  const early = refusalOf(issue, fixes);
  if (early || !fix) return refused(early ?? 'unlinked');
  const history = await source.history(issue.number);
  if (history.reopenedAt.some((at) => at >= fix.mergedAt)) return refused('reopened');
  const made = await source.fix(fix);
  if (!made) return refused('too-large');
  const split = splitOrReason(made.diff);
  if (typeof split === 'string') return refused('no-diff', split);
  if (split.sources === 0) return refused('no-source');
  const first = await source.firstBody(issue.number);
  const text = `${history.firstTitle ?? issue.title}\n${first ?? issue.body}`.replaceAll('\r\n', '\n').trim();
  if (text === '') return refused('no-text');
  const instance = instanceOf({ repository, issue, fix, base: made.base, split, text, first: first !== undefined });
  return { ...known, taken: true, instance };
}

function refusalOf(issue: ClosedIssue, fixes: MergedFix[]): Refusal | undefined {
  const labels = issue.labels.map((label) => label.toLowerCase());
  if (issue.reason === 'duplicate' || labels.includes('duplicate')) return 'duplicate';
  if (issue.reason === 'not_planned') return 'not-planned';
  if (fixes.length > 1) return 'several-fixes';
  return (fixes[0]?.fixes.length ?? 0) > 1 ? 'fix-of-several' : undefined;
}

function splitOrReason(diff: string): SplitFix | string {
  try {
    return splitFix(diff);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Parts {
  repository: string;
  issue: ClosedIssue;
  fix: MergedFix;
  base: string;
  split: SplitFix;
  text: string;
  first: boolean;
}

function instanceOf({ repository, issue, fix, base, split, text, first }: Parts): MinedInstance {
  return {
    instance_id: `${repository.replace('/', '__')}-${fix.number}`,
    repo: repository,
    base_commit: base,
    problem_statement: text,
    patch: split.patch,
    ...(split.testPatch === '' ? {} : { test_patch: split.testPatch }),
    created_at: issue.createdAt,
    issue_number: issue.number,
    pull_number: fix.number,
    issue_url: issue.url,
    first_written: first,
  };
}
