import { InputError } from '../domain/errors.ts';
import { type BytePath, records } from './byte-path.ts';
import type { Git } from './git-command.ts';

/** Never part of a patch: what runs on the maintainers' machines, steers other agents, or decides who reviews. */
const ALWAYS_PROTECTED = [
  '**/.gitattributes',
  '**/.gitmodules',
  '.github',
  '.gitlab',
  '.gitlab-ci.yml',
  '.travis.yml',
  '.circleci',
  '.buildkite',
  '.cirrus.yml',
  '.drone.yml',
  '.woodpecker*',
  '.appveyor.yml',
  'appveyor.yml',
  'azure-pipelines*',
  '.azure-pipelines',
  'bitbucket-pipelines.yml',
  'Jenkinsfile*',
  'cloudbuild.y*ml',
  '.ci',
  '.husky',
  '.pre-commit-config.yaml',
  '.devcontainer',
  '.vscode',
  '**/CODEOWNERS',
  '**/AGENTS.md',
  '**/AGENTS.override.md',
  '**/CLAUDE.md',
  '**/CLAUDE.local.md',
  '**/GEMINI.md',
  '.claude',
  '.cursor',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.aider*',
  '.codex',
  '.mcp.json',
];

/** Git's pathspecs for the globs of the configuration and for what is always protected, without regard to case. */
export const protectedPathspecs = (globs: string[]): string[] =>
  [...ALWAYS_PROTECTED, ...globs].map((glob) => `:(top,glob,icase)${glob}`);

/** @throws InputError naming every glob that cannot match inside a repository: it would protect nothing. */
export function checkProtectedPaths(globs: string[]): void {
  const useless = globs.filter((glob) => glob === '' || glob.startsWith('/') || glob.split('/').includes('..'));
  if (useless.length === 0) return;
  const problems = useless.map((glob) => ({
    source: 'protectedPaths',
    message: `${JSON.stringify(glob)} is not a glob inside the repository`,
    remedy: 'Write it from the root of the repository, as `docs/**` or `**/*.lock`.',
  }));
  throw new InputError(problems);
}

/** Which of the paths that differ from `base` in `indexFile` are protected. */
export async function protectedChanges(
  git: Git,
  index: { gitDir: string; indexFile: string; objects: string; base: string },
  globs: string[],
  signal: AbortSignal,
): Promise<Set<BytePath>> {
  const { base, ...where } = index;
  const args = [
    'diff-index',
    '--cached',
    '--name-only',
    '-z',
    '--no-renames',
    base,
    '--',
    ...protectedPathspecs(globs),
  ];
  return new Set(records((await git({ ...where, args }, signal)).stdout));
}
