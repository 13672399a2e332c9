import type { AgentLimits, RepairRole, RoleSettings, RunSettings } from './settings.ts';

/** Names of the models: one for all roles, or one for each. */
export type ModelNames = string | Record<RepairRole, string>;

/**
 * What a run is made of when nobody asks for anything else. Limits and sampling are those of ACQUIRE §IV-E (Questioner,
 * Answerer, Resolver) and SHERLOC §3.3 and its appendix (Localizer, Verifier); the Localizer's money, all seconds and
 * token sizes are ours.
 */
export function defaultRunSettings(models: ModelNames): RunSettings {
  return {
    questions: 2,
    asking: 'categories',
    findings: true,
    hint: true,
    verifier: 'off',
    protocol: 'native',
    recoveries: {
      contextManagement: true,
      loopDetection: true,
      implicitToolCalls: true,
      responseLength: true,
      finalTurn: true,
    },
    localizerTools: ['view_file', 'codebase_search', 'repo_tree', 'connected_tree'],
    roles: defaultRoles(typeof models === 'string' ? (): string => models : (role): string => models[role]),
    budgetUsd: 6,
    budgetTokens: 10_000_000,
    seconds: 2 * 60 * 60,
    sandboxImage: 'fathom-sandbox:bookworm',
    tests: { timeoutSeconds: 10 * 60 },
    protectedPaths: PROTECTED_PATHS,
    openWithoutProof: false,
  };
}

// Files that decide what machines run with a maintainer's rights: no patch of ours carries a change to them.
const PROTECTED_PATHS = [
  '.github/**',
  '.gitlab-ci.yml',
  '.gitlab/**',
  '.circleci/**',
  '.ci/**',
  '.buildkite/**',
  '.travis.yml',
  'azure-pipelines.yml',
  'Jenkinsfile',
  '.gitmodules',
  '.gitattributes',
  'CODEOWNERS',
  '**/*.lock',
  '**/package-lock.json',
  '**/pnpm-lock.yaml',
  '**/go.sum',
  '**/AGENTS.md',
  '**/CLAUDE.md',
];

function defaultRoles(model: (role: RepairRole) => string): RunSettings['roles'] {
  return {
    questioner: role(
      model('questioner'),
      { temperature: 0.7 },
      { steps: 2, usd: 0.5, commandSeconds: 0, seconds: 600 },
    ),
    answerer: role(model('answerer'), { temperature: 0 }, { steps: 150, usd: 2, commandSeconds: 120, seconds: 2700 }),
    localizer: role(
      model('localizer'),
      { temperature: 0.99, topP: 0.95 },
      { steps: 20, usd: 1, commandSeconds: 0, seconds: 1800 },
    ),
    verifier: role(
      model('verifier'),
      { temperature: 0.1 },
      { steps: 1, usd: 0.25, commandSeconds: 0, seconds: 300, outputTokens: 500 },
    ),
    resolver: role(model('resolver'), { temperature: 0 }, { steps: 250, usd: 3, commandSeconds: 360, seconds: 5400 }),
  };
}

function role(
  model: string,
  sampling: Pick<RoleSettings, 'temperature' | 'topP'>,
  limits: Omit<AgentLimits, 'contextTokens' | 'outputTokens'> & Partial<AgentLimits>,
): RoleSettings {
  return { model, ...sampling, limits: { contextTokens: 100_000, outputTokens: 16_000, ...limits } };
}
