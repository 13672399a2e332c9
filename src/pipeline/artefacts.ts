import { z } from 'zod';
import { AnsweredPair } from '../domain/answer.ts';
import { AuditedFinding, AuditedPair, CrossCheck, Verification } from '../domain/diagnosis.ts';
import { AgentEnd } from '../domain/ends.ts';
import { Localization, Suspect } from '../domain/finding.ts';
import { RenderedIssue } from '../domain/issue-snapshot.ts';
import { Question } from '../domain/question.ts';
import { RunSettings } from '../domain/settings.ts';

/** What each stage leaves behind, as it is kept by the ledger. */
export const Prepared = z.object({
  base: z.string(),
  settings: RunSettings,
  issue: RenderedIssue,
  suspects: z.array(Suspect),
  notes: z.array(z.string()),
});
export type Prepared = z.infer<typeof Prepared>;

export const Asked = z.object({ questions: z.array(Question), notes: z.array(z.string()) });
export type Asked = z.infer<typeof Asked>;

export const Located = z.object({ localization: Localization.optional(), end: AgentEnd });
export type Located = z.infer<typeof Located>;

export const Answered = z.object({
  pairs: z.array(AnsweredPair),
  located: Located.optional(),
  notes: z.array(z.string()),
});
export type Answered = z.infer<typeof Answered>;

export const Audited = z.object({
  knowledge: z.array(AuditedPair),
  findings: z.array(AuditedFinding),
  verification: Verification.optional(),
  crossChecks: z.array(CrossCheck).optional(),
  notes: z.array(z.string()),
});
export type Audited = z.infer<typeof Audited>;

export const PreparedEnvironment = z.object({
  image: z.string(),
  prepared: z.boolean(),
  /** True where a set-up was not tried, since a diagnosis alone does not pay for one. */
  skipped: z.boolean().optional(),
  test: z.string().optional(),
  setup: z.string().optional(),
  /** True where there is no set-up since the repository names nothing to install. */
  needsNothing: z.boolean().optional(),
  sources: z.array(z.string()),
  /** Variables for every container that runs something of the repository. */
  variables: z.record(z.string(), z.string()).optional(),
  log: z.string(),
});
export type PreparedEnvironment = z.infer<typeof PreparedEnvironment>;
