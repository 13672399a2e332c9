import { z } from 'zod';
import { AnsweredPair } from './answer.ts';
import { IssueSnapshot } from './issue-snapshot.ts';
import { RunSettings } from './settings.ts';
import { RunMode } from './stage.ts';

/** Where the code comes from: a clone on this machine, or a repository that the Forge can clone. */
export const RepositorySource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('local'), path: z.string() }),
  z.object({ kind: z.literal('remote'), owner: z.string(), name: z.string(), url: z.url() }),
]);
export type RepositorySource = z.infer<typeof RepositorySource>;

/** Everything done for one trigger on one issue. */
export const Run = z.object({
  id: z.string(),
  mode: RunMode,
  repository: RepositorySource,
  /** Any revision that git understands; absent means the head of the default branch. */
  base: z.string().optional(),
  snapshot: IssueSnapshot,
  settings: RunSettings,
  /** Questions and answers that the run starts from: those of the run `from`, with what maintainers corrected since. */
  knowledge: z.object({ from: z.string(), pairs: z.array(AnsweredPair) }).optional(),
  startedAt: z.iso.datetime(),
});
export type Run = z.infer<typeof Run>;
