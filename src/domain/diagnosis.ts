import { z } from 'zod';
import { Answer, QaPair } from './answer.ts';
import { CheckedCitation } from './citation.ts';
import { Finding, Location, Suspect } from './finding.ts';

export const AuditedPair = QaPair.extend({
  answer: Answer.optional(),
  checked: z.array(CheckedCitation),
  /** Statements about code in the answer's text that none of its citations covers, shortened. */
  uncited: z.array(z.string()).optional(),
});
export type AuditedPair = z.infer<typeof AuditedPair>;

export const CheckedLocation = z.object({
  location: Location,
  verdict: z.enum(['confirmed', 'corrected', 'struck']),
  note: z.string().optional(),
});
export type CheckedLocation = z.infer<typeof CheckedLocation>;

/** The Verifier's four ratings of 1 to 5; `composite` is the mean of the first three (SHERLOC appendix). */
export const Verification = z.object({
  mode: z.enum(['light', 'full']),
  rootCause: z.number().min(1).max(5),
  location: z.number().min(1).max(5),
  actionability: z.number().min(1).max(5),
  overall: z.number().min(1).max(5),
  composite: z.number().min(1).max(5),
  agreement: z.enum(['none', 'low', 'medium', 'high']).optional(),
  /** Of the auxiliary traces, counted from 1, those that support the findings. */
  supporting: z.array(z.int()).optional(),
  summary: z.string().optional(),
  /** Statements that the lines shown for them do not say, and where answers and findings exclude each other. */
  unsupported: z.array(z.string()).optional(),
  contradictions: z.array(z.string()).optional(),
});
export type Verification = z.infer<typeof Verification>;

export const AuditedFinding = Finding.extend({
  checked: z.array(CheckedLocation),
  /** Places that its text names beside its locations, and that do not hold. */
  misnamed: z.array(CheckedLocation).optional(),
});
export type AuditedFinding = z.infer<typeof AuditedFinding>;

/**
 * How an answer's citations lie to a finding's locations, computed from places alone: nearness supports both, distance
 * refutes neither. `finding` counts from 1.
 */
export const CrossCheck = z.object({
  question: z.string(),
  finding: z.int().positive(),
  relation: z.enum(['same-lines', 'same-file', 'elsewhere']),
  place: Location.optional(),
});
export type CrossCheck = z.infer<typeof CrossCheck>;

/** The knowledge set and the findings, with what was checked about them. */
export const Diagnosis = z.object({
  base: z.string(),
  knowledge: z.array(AuditedPair),
  findings: z.array(AuditedFinding),
  abstention: z.string().optional(),
  suspects: z.array(Suspect),
  verification: Verification.optional(),
  crossChecks: z.array(CrossCheck).optional(),
  /** Sentences for the reader about what went missing: an agent out of budget, a lost container. */
  notes: z.array(z.string()),
});
export type Diagnosis = z.infer<typeof Diagnosis>;
