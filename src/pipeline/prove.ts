import { isEmptyPatch, type Patch, type Resolution } from '../domain/patch.ts';
import type { Workspace } from '../domain/ports/workspaces.ts';
import type { Proof } from '../domain/proof.ts';
import { commandFor } from '../environment/command-for.ts';
import { discoverTests } from '../environment/discover-tests.ts';
import { repeatCommand } from '../environment/repeat-command.ts';
import { rerunCommand } from '../environment/rerun-command.ts';
import type { Prepared, PreparedEnvironment } from './artefacts.ts';
import { judgeProof } from './judge-proof.ts';
import { type Check, type CheckPlace, type ObservedRun, runCheck } from './run-check.ts';
import type { RunContext } from './run-context.ts';
import { neverRan, suiteDifference } from './suite-difference.ts';

/** A test that failed is run this often again before it is believed. */
const RERUNS = 2;
/** A suite of which no part can be run by itself is run again as a whole only where that takes less. */
const WHOLE_AGAIN_SECONDS = 300;
/** The regression test is run a second time on both sides where that takes less. */
const SECOND_TIME_SECONDS = 60;

/**
 * Stage 7: by us, each in a fresh container without network, on a clean checkout: the regression test on base (with the
 * test files alone) and on base + patch, the repository's own tests on base and on base + patch, and again those that
 * fail only with the patch.
 */
export async function prove(
  context: RunContext,
  prepared: Prepared,
  resolution: Resolution,
  environment: PreparedEnvironment,
  workspace: Workspace,
): Promise<Proof> {
  const { patch, report } = resolution;
  const image = (await context.ports.sandboxes.imageDigest(environment.image)) ?? environment.image;
  if (isEmptyPatch(patch)) {
    return { verdict: 'not-run', reason: 'There is no change to prove.', image, runs: [], doesNotShow: [] };
  }
  const plan = await discoverTests(workspace.tree, context.settings.tests);
  const tests = patch.files.filter((file) => file.kind === 'test');
  const regression = tests.length > 0 && report ? commandFor(plan, report) : undefined;
  const place: CheckPlace = { context, environment, workspace, reported: prepared.issue.text };
  const suite = environment.test;
  const runs = [
    ...(regression === undefined ? [] : await regressionRuns(place, patch, regression)),
    ...(suite === undefined ? [] : await suiteRuns(place, patch, suite)),
  ];
  const reruns = await rerunsOf(place, patch, runs);
  const repeat = repeatCommand({
    base: workspace.base,
    image: context.settings.tests.image,
    setup: environment.setup,
    regression,
    suite,
    testFiles: tests.map((file) => file.path),
    variables: environment.variables ?? {},
  });
  return judgeProof({ image, runs, reruns, environment, hasTest: regression !== undefined, repeat });
}

async function regressionRuns(place: CheckPlace, patch: Patch, command: string): Promise<ObservedRun[]> {
  const before: Check = { what: 'regression', on: 'base', command, patch, only: 'test' };
  const after: Check = { what: 'regression', on: 'base+patch', command, patch };
  const runs = [await runCheck(place, before, nameOf(before)), await runCheck(place, after, nameOf(after))];
  const [first, second] = runs;
  const isShown = first?.exitCode !== 0 && first?.exitCode !== null && second?.exitCode === 0;
  if (!isShown || runs.some((run) => run.seconds > SECOND_TIME_SECONDS)) return runs;
  const again = [
    await runCheck(place, before, `${nameOf(before)}-2`),
    await runCheck(place, after, `${nameOf(after)}-2`),
  ];
  return runs.map((run, index) => ({ ...run, again: [again[index]?.exitCode ?? null] }));
}

async function suiteRuns(place: CheckPlace, patch: Patch, command: string): Promise<ObservedRun[]> {
  const before: Check = { what: 'suite', on: 'base', command, patch: undefined };
  const after: Check = { what: 'suite', on: 'base+patch', command, patch };
  const first = await runCheck(place, before, nameOf(before));
  // Where the program is missing, a change does not bring it.
  if (first.failure.reason === 'no-runner' && neverRan(first)) return [first];
  // A suite that does not end in time without the change would not end with it.
  if (first.exitCode === null) return [first];
  return [first, await runCheck(place, after, nameOf(after))];
}

async function rerunsOf(place: CheckPlace, patch: Patch, runs: ObservedRun[]): Promise<ObservedRun[]> {
  const [before, after] = runs.filter((run) => run.what === 'suite');
  const reruns: ObservedRun[] = [];
  if (before === undefined || after === undefined) return reruns;
  for (let turn = 1; turn <= RERUNS; turn++) {
    const broken = suiteDifference(before, after, reruns)?.broken ?? [];
    if (broken.length === 0) break;
    const some = rerunCommand(after.command, after.framework, broken);
    if (some === undefined && after.seconds > WHOLE_AGAIN_SECONDS) break;
    const command = some ?? after.command;
    const check: Check = { what: 'suite', on: 'base+patch', command, patch };
    reruns.push(await runCheck(place, check, `prove-suite-again-${turn}`));
  }
  return reruns;
}

const nameOf = ({ what, on }: Check): string => `prove-${what}-${on.replace('+', '-')}`;
