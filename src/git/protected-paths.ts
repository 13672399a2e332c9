import { InputError } from '../domain/errors.ts';
import { type BytePath, records } from './byte-path.ts';
import { ANY_EXIT, type Git } from './git-command.ts';

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

/** @throws InputError naming the first glob that git does not take. */
export async function checkProtectedPaths(
  git: Git,
  gitDir: string,
  globs: string[],
  signal: AbortSignal,
): Promise<void> {
  for (const glob of globs) {
    const args = ['ls-files', '-z', '--', ...protectedPathspecs([glob]).slice(-1)];
    const { code } = await git({ args, gitDir, workTree: '/', accept: ANY_EXIT }, signal);
    if (code === 0 && glob !== '') continue;
    const message = `${JSON.stringify(glob)} is not a glob inside the repository`;
    throw new InputError([{ source: 'protectedPaths', message, remedy: 'Write it as `docs/**` or `**/*.lock`.' }]);
  }
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
