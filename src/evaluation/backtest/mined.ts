import { z } from 'zod';
import { Instance } from '../datasets/instance.ts';

/** Why a closed issue makes no instance. */
export const REFUSALS = {
  duplicate: 'closed as a duplicate',
  'not-planned': 'closed without a fix (not planned)',
  unlinked: 'no merged pull request says that it fixes it',
  'several-fixes': 'more than one merged pull request fixes it',
  'fix-of-several': 'its fix also fixes other issues',
  reopened: 'reopened after its fix was merged',
  'no-source': 'its fix changes no source code',
  'too-large': 'its fix is too large to be read',
  'no-diff': 'its fix could not be had as a diff',
  'no-text': 'it has no text',
} as const;
export type Refusal = keyof typeof REFUSALS;

/** An instance of a repository's own past, in SWE-bench's form with where it comes from. */
export const MinedInstance = Instance.extend({
  created_at: z.string(),
  issue_number: z.int(),
  pull_number: z.int(),
  issue_url: z.string(),
  /** False where the issue's text may have been edited since: the host tells no history. */
  first_written: z.boolean(),
});
export type MinedInstance = z.infer<typeof MinedInstance>;

/** What became of one closed issue. */
export const Decision = z.object({
  issue: z.int(),
  title: z.string(),
  taken: z.boolean(),
  refusal: z.enum(Object.keys(REFUSALS) as [Refusal, ...Refusal[]]).optional(),
  detail: z.string().optional(),
  instance: MinedInstance.optional(),
});
export type Decision = z.infer<typeof Decision>;

export interface ClosedIssue {
  number: number;
  title: string;
  body: string;
  url: string;
  createdAt: string;
  labels: string[];
  /** `completed`, `not_planned`, `duplicate`, or absent. */
  reason?: string | undefined;
}

export interface MergedFix {
  number: number;
  mergedAt: string;
  baseSha: string;
  headSha: string;
  /** Issues that its title and text say it fixes. */
  fixes: number[];
}

/** What mining reads of a code host. */
export interface IssueSource {
  /** Closed issues, oldest first; pull requests are none. */
  closedIssues(): AsyncIterable<ClosedIssue>;
  mergedFixes(): Promise<MergedFix[]>;
  /** When an issue was reopened, and what its first title was. */
  history(issue: number): Promise<{ reopenedAt: string[]; firstTitle: string | undefined }>;
  /** The body as it was first written; undefined where the host does not tell. */
  firstBody(issue: number): Promise<string | undefined>;
  /** The commit that a fix started from, and its diff against that; undefined where it is too large. */
  fix(fix: MergedFix): Promise<{ base: string; diff: string } | undefined>;
}
