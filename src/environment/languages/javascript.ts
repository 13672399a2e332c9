import { z } from 'zod';
import { type LanguagePlan, quoted } from '../test-plan.ts';
import type { TreeFiles } from '../tree-files.ts';

const Names = z.record(z.string(), z.unknown()).optional().catch(undefined);
const PackageJson = z.object({
  scripts: z.record(z.string(), z.string()).optional().catch(undefined),
  dependencies: Names,
  devDependencies: Names,
  peerDependencies: Names,
  optionalDependencies: Names,
  workspaces: z.unknown().optional(),
  packageManager: z.string().optional().catch(undefined),
});
type PackageJson = z.infer<typeof PackageJson>;

interface Manager {
  name: 'npm' | 'pnpm' | 'yarn';
  install: string;
  lock?: string;
}

/** Runs one file with the local copy of each runner. The first that the test script or the dependencies name is taken. */
const RUNNERS: [name: string, single: (file: string) => string][] = [
  ['vitest', (file) => `npx --no-install vitest run ${quoted(file)}`],
  ['jest', (file) => `npx --no-install jest ${quoted(file)}`],
  ['mocha', (file) => `npx --no-install mocha ${quoted(file)}`],
  ['ava', (file) => `npx --no-install ava ${quoted(file)}`],
  ['node --test', (file) => `node --test ${quoted(file)}`],
];

/** JavaScript and TypeScript: `package.json`'s test script, and the package manager that its lock file belongs to. */
export async function javascriptPlan(files: TreeFiles): Promise<LanguagePlan | undefined> {
  const manifest = PackageJson.safeParse(parsed(await files.read('package.json')));
  if (!manifest.success) return undefined;
  const { scripts, dependencies, devDependencies } = manifest.data;
  const script = scripts?.['test'];
  const test = script !== undefined && !isPlaceholder(script);
  const manager = await managerOf(files, manifest.data);
  const installs = Object.keys({ ...dependencies, ...devDependencies }).length > 0;
  const runner = RUNNERS.find(([name]) => script?.includes(name)) ?? RUNNERS.find(([name]) => devDependencies?.[name]);
  return {
    language: 'javascript',
    ...(test ? { test: `${manager.name} test` } : {}),
    ...(runner ? { single: runner[1] } : {}),
    ...(installs ? { setup: manager.install } : {}),
    ...((await namesNothing(files, manifest.data)) ? { needsNothing: true } : {}),
    sources: [
      ...(test ? ['package.json has a test script.'] : ['package.json has no test script.']),
      ...(installs && manager.lock ? [`${manager.lock} is ${manager.name}’s lock file.`] : []),
    ],
    confidence: test ? 'declared' : 'guessed',
    runners: ['npm test', 'npm run test', 'npm t', 'pnpm test', 'yarn test', 'npx vitest', 'npx jest', 'node --test'],
  };
}

/** Packages of a workspace have manifests of their own. */
async function namesNothing(files: TreeFiles, manifest: PackageJson): Promise<boolean> {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies, workspaces } = manifest;
  const named = { ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies };
  if (Object.keys(named).length > 0 || workspaces !== undefined) return false;
  return !(await files.list('.')).includes('pnpm-workspace.yaml');
}

/** What `npm init` writes when there are no tests. */
const isPlaceholder = (script: string): boolean => script.includes('no test specified');

async function managerOf(files: TreeFiles, { packageManager }: PackageJson): Promise<Manager> {
  const names = new Set(await files.list('.'));
  const corepack = 'corepack enable && ';
  if (names.has('pnpm-lock.yaml') || packageManager?.startsWith('pnpm@')) {
    return { name: 'pnpm', install: `${corepack}pnpm install --frozen-lockfile`, lock: 'pnpm-lock.yaml' };
  }
  if (names.has('yarn.lock') || packageManager?.startsWith('yarn@')) {
    const berry = names.has('.yarnrc.yml') || /^yarn@[2-9]/.test(packageManager ?? '');
    return {
      name: 'yarn',
      install: `${corepack}yarn install ${berry ? '--immutable' : '--frozen-lockfile'}`,
      lock: 'yarn.lock',
    };
  }
  const lock = ['package-lock.json', 'npm-shrinkwrap.json'].find((name) => names.has(name));
  return lock
    ? { name: 'npm', install: 'npm ci --no-audit --no-fund', lock }
    : { name: 'npm', install: 'npm install --no-audit --no-fund' };
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
