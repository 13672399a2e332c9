import { z } from 'zod';

export const AgentLimits = z.object({
  steps: z.int().positive(),
  /** US dollars. */
  usd: z.number().positive(),
  /** Seconds of one command; 0 where the role runs none. */
  commandSeconds: z.number().nonnegative(),
  /** Seconds of the whole agent. */
  seconds: z.number().positive(),
  /** Tokens of the conversation above which older observations are dropped. */
  contextTokens: z.int().positive(),
  /** Tokens of one reply. */
  outputTokens: z.int().positive(),
});
export type AgentLimits = z.infer<typeof AgentLimits>;

export const RoleSettings = z.object({
  model: z.string(),
  temperature: z.number().optional(),
  topP: z.number().optional(),
  reasoningEffort: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
  limits: AgentLimits,
});
export type RoleSettings = z.infer<typeof RoleSettings>;

export const ActionProtocol = z.enum(['native', 'text']);
export type ActionProtocol = z.infer<typeof ActionProtocol>;

/** SHERLOC's five recoveries (§3.4), each of which can be switched off. */
export const Recoveries = z.object({
  contextManagement: z.boolean(),
  loopDetection: z.boolean(),
  implicitToolCalls: z.boolean(),
  responseLength: z.boolean(),
  finalTurn: z.boolean(),
});
export type Recoveries = z.infer<typeof Recoveries>;

/** How the repository is set up and tested; absent fields are discovered. Seconds bound each command. */
export const TestSettings = z.object({
  image: z.string().optional(),
  setup: z.string().optional(),
  test: z.string().optional(),
  timeoutSeconds: z.number().positive(),
});
export type TestSettings = z.infer<typeof TestSettings>;

/** What a repository's own file may not go beyond, where it asks for more than a number. */
export const RepositoryLimits = z.object({
  /** False: its changes are proposed only when they are proven, whatever it says. */
  openWithoutProof: z.boolean(),
  /** Names of images that it may choose, `*` at the end for anything; absent: any that the engine has. */
  images: z.array(z.string()).optional(),
});
export type RepositoryLimits = z.infer<typeof RepositoryLimits>;

/** Everything that shapes one run. Made once, kept in the receipt. */
export const RunSettings = z.object({
  questions: z.int().min(0).max(5),
  /** `categories` is ACQUIRE; `free` and `proposal` are its ablations. */
  asking: z.enum(['categories', 'free', 'proposal']),
  findings: z.boolean(),
  hint: z.boolean(),
  verifier: z.enum(['off', 'light', 'full']),
  /** Findings that the Verifier rates below this (its composite of 1 to 5) are not given to the Resolver. */
  findingsGate: z.number().min(1).max(5).optional(),
  protocol: ActionProtocol,
  recoveries: Recoveries,
  localizerTools: z.array(z.enum(['view_file', 'codebase_search', 'repo_tree', 'connected_tree'])),
  /** Absent means all. The Resolver always has its shell: without one it could not repair. */
  answererTools: z.array(z.enum(['shell'])).optional(),
  roles: z.object({
    questioner: RoleSettings,
    answerer: RoleSettings,
    localizer: RoleSettings,
    verifier: RoleSettings,
    resolver: RoleSettings,
  }),
  budgetUsd: z.number().positive(),
  /** What a call with an unknown price may add up to in tokens, in and out, for the whole run. */
  budgetTokens: z.int().positive(),
  seconds: z.number().positive(),
  sandboxImage: z.string(),
  tests: TestSettings,
  protectedPaths: z.array(z.string()),
  openWithoutProof: z.boolean(),
  /** Absent: the repository's file may ask for both. */
  repositoryLimits: RepositoryLimits.optional(),
  /** How many repairs are tried within the Resolver's one budget; absent means one. */
  attempts: z.int().min(1).max(5).optional(),
});
export type RunSettings = z.infer<typeof RunSettings>;
export type RepairRole = keyof RunSettings['roles'];
