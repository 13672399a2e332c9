import { isEmptyPatch, type Patch, type Resolution } from '../domain/patch.ts';
import type { Workspace } from '../domain/ports/workspaces.ts';
import type { Proof, ProofRun } from '../domain/proof.ts';
import { commandFor } from '../environment/command-for.ts';
import { discoverTests } from '../environment/discover-tests.ts';
import { failureReason, readTestResults } from '../environment/read-test-results.ts';
import { withSandbox } from './agent-run.ts';
import type { Prepared, PreparedEnvironment } from './artefacts.ts';
import { judgeProof } from './judge-proof.ts';
import type { RunContext } from './run-context.ts';

const shownCharacters = 60_000;
const tailLines = 40;

/** A run with what its whole shown output says about why it failed; that part is for the verdict and is not kept. */
export interface ObservedRun extends ProofRun {
  reason: ReturnType<typeof failureReason>;
}

interface Check {
  what: ProofRun['what'];
  on: ProofRun['on'];
  command: string;
  patch: Patch | undefined;
  only?: 'test';
}

/**
 * Stage 7: by us, in fresh containers without network, on clean checkouts: the regression test on base (with the test
 * files alone) and on base + patch, the repository's own tests on base and on base + patch.
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
  const bringsTest = patch.files.some((file) => file.kind === 'test');
  const regression = bringsTest && report ? commandFor(plan, report) : undefined;
  const runs: ObservedRun[] = [];
  for (const check of checksOf(patch, regression, environment.test)) {
    runs.push(await perform(context, check, environment, workspace, prepared.issue.text));
  }
  return judgeProof({ image, runs, environment, hasTest: regression !== undefined });
}

function checksOf(patch: Patch, regression: string | undefined, suite: string | undefined): Check[] {
  const checks: Check[] = [];
  if (regression !== undefined) {
    checks.push({ what: 'regression', on: 'base', command: regression, patch, only: 'test' });
    checks.push({ what: 'regression', on: 'base+patch', command: regression, patch });
  }
  if (suite !== undefined) {
    checks.push({ what: 'suite', on: 'base', command: suite, patch: undefined });
    checks.push({ what: 'suite', on: 'base+patch', command: suite, patch });
  }
  return checks;
}

async function perform(
  context: RunContext,
  check: Check,
  environment: PreparedEnvironment,
  workspace: Workspace,
  reported: string,
): Promise<ObservedRun> {
  const name = `prove-${check.what}-${check.on.replace('+', '-')}`;
  const copy = await workspace.checkout(name, check.patch, check.only);
  const known = { what: check.what, on: check.on, command: check.command };
  if (!copy.applied) {
    return { ...known, exitCode: null, seconds: 0, failing: [], tail: copy.reason, reason: 'unknown' };
  }
  const spec = { purpose: name, image: environment.image, mount: copy.mount, variables: environment.variables };
  const seconds = context.settings.tests.timeoutSeconds;
  const result = await withSandbox(context, spec, (sandbox) =>
    sandbox.exec(check.command, { seconds, shownCharacters }, context.signal),
  );
  const { counts, failing } = readTestResults(result.output);
  return {
    ...known,
    exitCode: result.exitCode,
    seconds: result.seconds,
    ...(counts ? { counts } : {}),
    failing,
    tail: result.output.split('\n').slice(-tailLines).join('\n'),
    reason: failureReason(result.output, reported),
  };
}
