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

/** Never part of a patch: what runs on the maintainers' machines, steers other agents, or decides who reviews. */
const ALWAYS_PROTECTED = [
  ...LOCK_FILES,
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
  '.githooks',
  '.lefthook',
  'lefthook.y*ml',
  '.envrc',
  '**/.npmrc',
  '**/.yarnrc*',
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
  '.windsurf',
  '.windsurfrules',
  '.roo*',
  '.kiro',
  '.junie',
  '.continue',
  '.gemini',
  '.rules',
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
