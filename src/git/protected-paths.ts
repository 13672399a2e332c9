import { InputError } from '../domain/errors.ts';
import { type BytePath, records } from './byte-path.ts';
import type { Git } from './git-command.ts';

/** What a package manager resolved: it decides what is installed, and only that program should write it. */
const LOCK_FILES = [
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb', 'deno.lock'],
  ...[
    'poetry.lock',
    'Pipfile.lock',
    'uv.lock',
    'pdm.lock',
    'pixi.lock',
    'conda-lock.yml',
    'pylock.toml',
    'pylock.*.toml',
  ],
  ...['Cargo.lock', 'go.sum', 'go.work.sum', 'Gemfile.lock', 'gems.locked', 'composer.lock', 'mix.lock', 'rebar.lock'],
  ...['packages.lock.json', 'paket.lock', 'gradle.lockfile', 'buildscript-gradle.lockfile', 'pubspec.lock'],
  ...['Podfile.lock', 'Package.resolved', 'Cartfile.resolved', 'flake.lock', 'stack.yaml.lock', 'cabal.project.freeze'],
  ...['Manifest.toml', 'renv.lock', 'cpanfile.snapshot', 'Chart.lock', '.terraform.lock.hcl', 'MODULE.bazel.lock'],
].map((name) => `**/${name}`);

/** What a forge, a build service or a mirror of the repository runs. */
const WORKFLOWS = [
  ...['.github', '.gitlab*', '.gitea', '.forgejo', '.bitbucket', 'bitbucket-pipelines.yml', '.builds', '.build.yml'],
  ...['.travis*', '.circleci', '.buildkite', '.cirrus*', '.drone*', '.woodpecker*', '.appveyor*', 'appveyor*.yml'],
  ...['azure-pipelines*', '.azure-pipelines', '.azuredevops', '**/Jenkinsfile*', 'cloudbuild.y*ml', 'buildspec*.y*ml'],
  ...['.ci', '.semaphore', '.teamcity', '.tekton', '.harness', '.taskcluster*', '.zuul*', 'zuul.d', 'screwdriver.yaml'],
  ...['bitrise.yml', 'codemagic.yaml', 'wercker.yml', '.scrutinizer.yml', '.readthedocs*', '.packit*', '.prow*'],
];

/** What runs on the maintainers' machines when they enter, open, commit or build. */
const ON_MACHINES = [
  ...['.husky', '.githooks', '.lefthook', 'lefthook.y*ml', '.pre-commit-config.yaml', '.simple-git-hooks*'],
  ...['**/.envrc', '**/mise.toml', '**/.mise*', '.devcontainer*', '**/.vscode', '**/.idea'],
  ...['**/.npmrc', '**/.yarnrc*', '.yarn/releases', '.yarn/plugins', '**/.pnpmfile.*', '**/.cargo', '.mvn'],
  'gradle/wrapper',
];

/** What steers other agents. */
const STEERING = [
  ...['**/AGENTS.md', '**/AGENTS.override.md', '**/CLAUDE.md', '**/CLAUDE.local.md', '**/GEMINI.md', '**/QWEN.md'],
  ...['**/.claude', '**/.cursor', '.cursorrules', '.windsurf*', '.roo*', '.kiro', '.junie', '.continue', '.gemini'],
  ...['.rules', '.clinerules*', '.aider*', '.codex', '**/.mcp.json', '.agent', '.agents', '.amazonq', '.augment*'],
  ...['.trae', '.opencode', 'opencode.json*', '.goosehints', '.qwen'],
];

/** Never part of a patch; the last three decide how git reads the tree, what is in it, and who reviews. */
const ALWAYS_PROTECTED = [
  ...[...LOCK_FILES, ...WORKFLOWS, ...ON_MACHINES, ...STEERING],
  ...['**/.gitattributes', '**/.gitmodules', '**/CODEOWNERS'],
];

/**
 * Git's pathspecs for the globs of the configuration and for what is always protected, without regard to case. A name
 * stands for all that is below it, too; where it has a wildcard, git has to be told.
 */
export const protectedPathspecs = (globs: string[]): string[] =>
  [...ALWAYS_PROTECTED, ...globs].flatMap((glob) => [`:(top,glob,icase)${glob}`, `:(top,glob,icase)${glob}/**`]);

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
