import { createHash } from 'node:crypto';
import type { TestSettings } from '../domain/settings.ts';
import { ciCommands, testingCommand } from './ci-commands.ts';
import { devcontainerSetup } from './devcontainer.ts';
import { javascriptPlan } from './languages/javascript.ts';
import { otherPlans } from './languages/others.ts';
import { pythonPlan } from './languages/python.ts';
import type { LanguagePlan, TestPlan } from './test-plan.ts';
import { openTree, type TreeFiles } from './tree-files.ts';

/** Files that decide what a set-up installs. */
const MANIFESTS = [
  ...['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'yarn.lock'],
  ...['.npmrc', '.yarnrc.yml', '.nvmrc', '.node-version', '.tool-versions', '.python-version', 'mise.toml'],
  ...['pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini', 'uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock'],
  ...['go.mod', 'go.sum', 'Cargo.toml', 'Cargo.lock', 'Gemfile', 'Gemfile.lock', 'composer.json', 'composer.lock'],
  ...['pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts', 'gradle.properties'],
];

/**
 * How the checkout at `tree` is set up and tested. Settings win over what is found; what is found comes from the files
 * in which each language's projects say it. Nothing of the tree is run, and no link is followed out of it.
 */
export async function discoverTests(tree: string, settings: TestSettings): Promise<TestPlan> {
  const files = openTree(tree);
  const commands = await ciCommands(files);
  const found = withSetup(withWorkflow(await bestPlan(files, commands), commands), await devcontainerSetup(files));
  const setup = settings.setup ?? found?.setup;
  const test = settings.test ?? found?.test;
  return {
    ...(found ? { language: found.language } : {}),
    ...(found?.single ? { single: found.single } : {}),
    ...(found?.searchPaths ? { searchPaths: found.searchPaths } : {}),
    ...(test === undefined ? {} : { test }),
    ...(setup === undefined ? {} : { setup }),
    ...(found?.needsNothing && setup === undefined ? { needsNothing: true } : {}),
    sources: sourcesOf(settings, found),
    confidence: settings.test === undefined ? (found?.confidence ?? 'none') : 'configured',
    inputs: await inputsOf(files, setup),
  };
}

async function bestPlan(files: TreeFiles, commands: string[]): Promise<LanguagePlan | undefined> {
  const plans = [await pythonPlan(files, commands), await javascriptPlan(files), ...(await otherPlans(files))];
  const weight = (plan: LanguagePlan): number => {
    const inCi = commands.some((command) => plan.runners.some((runner) => command.includes(runner)));
    return (plan.confidence === 'declared' ? 2 : 0) + (plan.test === undefined ? 0 : 4) + (inCi ? 1 : 0);
  };
  const [best, ...others] = plans.filter((plan) => plan !== undefined).sort((a, b) => weight(b) - weight(a));
  if (best === undefined || !others.some((plan) => plan.setup !== undefined)) return best;
  // What another of its languages has to install may be missing all the same.
  const { needsNothing: _, ...plan } = best;
  return plan;
}

/** Where the files of a language name no tests, a workflow may. */
function withWorkflow(found: LanguagePlan | undefined, commands: string[]): LanguagePlan | undefined {
  const test = found?.test === undefined ? testingCommand(commands) : undefined;
  if (test === undefined) return found;
  const plan = found ?? { language: 'unknown', sources: [], confidence: 'declared', runners: [] };
  return { ...plan, test, sources: [...plan.sources, 'A workflow runs this test command.'], confidence: 'declared' };
}

/** Where the files of a language name nothing to install, a development container may. */
function withSetup(found: LanguagePlan | undefined, setup: string | undefined): LanguagePlan | undefined {
  if (found === undefined || found.setup !== undefined || setup === undefined) return found;
  return { ...found, setup, sources: [...found.sources, 'The set-up is that of the development container.'] };
}

function sourcesOf(settings: TestSettings, found: LanguagePlan | undefined): string[] {
  const configured = [
    ...(settings.test === undefined ? [] : ['The test command comes from the settings.']),
    ...(settings.setup === undefined ? [] : ['The set-up command comes from the settings.']),
  ];
  const needed = settings.test === undefined || settings.setup === undefined;
  return needed ? [...configured, ...(found?.sources ?? [])] : configured;
}

/** Known manifests, and every file that the set-up command names. */
async function inputsOf(files: TreeFiles, setup: string | undefined): Promise<Record<string, string>> {
  if (setup === undefined) return {};
  const named = setup
    .slice(0, 10_000)
    .split(/[\s'"=;&|<>()]+/)
    .filter((word) => word !== '');
  const inputs: Record<string, string> = {};
  for (const path of new Set([...MANIFESTS, ...named.slice(0, 200)])) {
    const text = await files.read(path);
    if (text !== undefined) inputs[path] = createHash('sha256').update(text).digest('hex');
  }
  return inputs;
}
