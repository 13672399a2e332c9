import type { Diagnosis } from '../../domain/diagnosis.ts';
import type { RenderedIssue } from '../../domain/issue-snapshot.ts';
import type { TrajectoryEntry } from '../../domain/ports/trajectory-store.ts';
import type { Judgement } from '../judges/judgement.ts';
import type { Outcome } from '../scoring/outcome.ts';
import type { Summary } from '../summary/summarize.ts';

/** One run as the page shows it. */
export interface RunPage {
  outcome: Outcome;
  issue?: RenderedIssue;
  diagnosis?: Diagnosis;
  patch?: string;
  trajectories: { agent: string; entries: TrajectoryEntry[] }[];
  judgement?: Judgement;
  /** Where the whole transcripts are, from the page. */
  folder: string;
}

export interface PageData {
  /** What was evaluated: the data set's name, the models by role. */
  data: string;
  models: string[];
  summary: Summary;
  runs: RunPage[];
}

/** The id of a run's place in the page, to link to. */
export const anchorOf = (instance: string, arm: string): string => `${instance}/${arm}`.replaceAll(/[^\w/.@=+-]/g, '-');
