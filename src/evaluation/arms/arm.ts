import type { RunSettings } from '../../domain/settings.ts';

/** What is done with an instance: only its Localizer, its diagnosis, or the repair too. */
export const SCOPES = ['localize', 'diagnose', 'resolve'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * One way to run the pipeline. An arm is configuration: it changes settings, the text or what is already known
 * when the run starts, and nothing else. A further pre-repair strategy (graph, summary, debate) is an arm whose `given`
 * makes the diagnosis.
 */
export interface Arm {
  /** As it was asked for, models included: `both@resolver=some-model`. */
  name: string;
  kind: 'baseline' | 'treatment' | 'control';
  /** One sentence for the report. */
  about: string;
  settings(base: RunSettings): RunSettings;
  /** True where paths and the repository's name are taken out of the issue first. */
  masked: boolean;
  /** A diagnosis that is given instead of being acquired. */
  given?: 'shuffled' | 'oracle';
}
