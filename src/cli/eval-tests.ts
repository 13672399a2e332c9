import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Patch } from '../domain/patch.ts';
import type { Mount, Sandbox, SandboxSpec } from '../domain/ports/sandbox-host.ts';
import type { Instance } from '../evaluation/datasets/instance.ts';
import type { Tested } from '../evaluation/running/evaluation.ts';
import { deriveLists, judgeTests, type TestLists } from '../evaluation/scoring/judge-tests.ts';
import type { TestVerdict } from '../evaluation/scoring/outcome.ts';
import { readTestStatus, type TestStatus } from '../evaluation/scoring/read-test-status.ts';
import { testCommand } from '../evaluation/scoring/test-command.ts';
import { createWorkspaces } from '../git/workspaces.ts';
import { createFolderLedger } from '../jobs/folder-ledger.ts';
import { PreparedEnvironment } from '../pipeline/artefacts.ts';
import { composeSandboxes } from './compose.ts';

type TestRunner = (tested: Tested, signal: AbortSignal) => Promise<TestVerdict | undefined>;

const Lists = z.object({ failToPass: z.array(z.string()), passToPass: z.array(z.string()) });
const OUTPUT_CHARACTERS = 1_000_000;
const OUTPUT_BYTES = 64 * 2 ** 20;

/**
 * Runs an instance's own tests on a change, in a clean container without network: in SWE-bench's image of the instance
 * where that is asked for and the engine has it, else in the environment that the run set up. Instances without lists of
 * tests get them from a run before and a run with their fix, kept in the evaluation's folder.
 */
export function createTestRunner(config: Config, out: string, where: 'environment' | 'swebench'): TestRunner {
  return async (tested, signal) => {
    const { instance, resolution } = tested;
    if (!instance.test_patch && !instance.FAIL_TO_PASS) return undefined;
    const place = await placeFor(config, tested, where);
    const run = (fixes: Fix[], name: string) => runOnce({ config, tested, place, fixes, name, signal });
    const lists = await listsOf(instance, out, run);
    if (lists.failToPass.length === 0) return undefined;
    const result = await run([{ patch: resolution.patch }], 'scored');
    const verdict = judgeTests(lists, result.status, place.how);
    return result.reason === undefined ? verdict : { ...verdict, resolved: false, reason: result.reason };
  };
}

/** A change to lay over base: a run's own, of which only sources count, or a diff of the data set. */
type Fix = { patch: Patch } | { diff: string };

interface Place {
  image: string;
  how: string;
  /** Where the repository lies in the image; undefined where a checkout is mounted. */
  inside: string | undefined;
  command: string;
}

async function placeFor(config: Config, { instance, run, ledger }: Tested, where: string): Promise<Place> {
  const environment = await ledger.load(run.id, 'environment', PreparedEnvironment);
  const command = testCommand(instance, environment?.test);
  const name = instance.instance_id.toLowerCase().replace('__', '_1776_');
  const official = instance.image ?? `swebench/sweb.eval.x86_64.${name}:latest`;
  if (where === 'swebench' && (await composeSandboxes(config).imageDigest(official)) !== undefined) {
    const activated = `. /opt/miniconda3/bin/activate testbed 2>/dev/null; ${command}`;
    return { image: official, how: `in ${official}`, inside: '/testbed', command: activated };
  }
  const image = environment?.image ?? config.settings.sandboxImage;
  return { image, how: `in the environment of the repository (${image})`, inside: undefined, command };
}

async function listsOf(
  instance: Instance,
  out: string,
  run: (fixes: Fix[], name: string) => Promise<{ status: Map<string, TestStatus> }>,
): Promise<TestLists> {
  if (instance.FAIL_TO_PASS) return { failToPass: instance.FAIL_TO_PASS, passToPass: instance.PASS_TO_PASS ?? [] };
  const ledger = createFolderLedger(join(out, 'tests'));
  const kept = await ledger.load('', instance.instance_id, Lists);
  if (kept) return kept;
  const before = await run([], 'before');
  const fixed = await run([{ diff: instance.patch }], 'fixed');
  const lists = deriveLists(before.status, fixed.status);
  await ledger.save('', instance.instance_id, lists);
  return lists;
}

interface Execution {
  config: Config;
  tested: Tested;
  place: Place;
  fixes: Fix[];
  name: string;
  signal: AbortSignal;
}

async function runOnce(execution: Execution): Promise<{ status: Map<string, TestStatus>; reason?: string }> {
  const { config, tested, place, fixes, signal, name } = execution;
  const sandboxUid = async () => composeSandboxes(config).userOnHost?.();
  const workspaces = createWorkspaces({ dataDir: config.dataDir, environment: config.environment, sandboxUid });
  const repository = { kind: 'local' as const, path: tested.path };
  const id = `${tested.run.id}-${name}`;
  const request = { run: id, repository, base: tested.instance.base_commit, protectedPaths: [] };
  const workspace = await workspaces.open(request, signal);
  try {
    const own = fixes.find((fix) => 'patch' in fix);
    const copy = await workspace.checkout(name, place.inside === undefined ? own?.patch : undefined, 'source');
    if (!copy.applied) return { status: new Map(), reason: copy.reason };
    return await inSandbox(execution, id, copy.mount);
  } finally {
    await workspace.dispose();
    await composeSandboxes(config).sweep(id);
  }
}

async function inSandbox({ config, tested, place, fixes, signal }: Execution, run: string, mount: Mount) {
  const { instance } = tested;
  const spec: SandboxSpec = {
    ...{ run, purpose: 'tests', image: place.image, network: 'none' as const },
    ...(place.inside === undefined
      ? { mounts: [mount], workdir: mount.target }
      : { mounts: [], workdir: place.inside, writableRoot: true }),
  };
  const sandbox = await composeSandboxes(config).start(spec, signal);
  try {
    const asRoot = place.inside === undefined ? {} : { root: true };
    for (const change of changesFor(fixes, instance, place)) {
      const complaint = await applyChange(sandbox, change, asRoot, signal);
      if (complaint !== undefined) return { status: new Map(), reason: `a patch does not apply: ${complaint}` };
    }
    const seconds = config.settings.tests.timeoutSeconds;
    const limits = { seconds, shownCharacters: OUTPUT_CHARACTERS, ...asRoot };
    const ran = await sandbox.exec(place.command, limits, signal);
    const whole = ran.spillPath === undefined ? undefined : await sandbox.readFile(ran.spillPath, OUTPUT_BYTES);
    const status = readTestStatus(whole?.toString('utf8') ?? ran.output);
    return ran.ending === 'timed-out' ? { status, reason: `the tests did not end within ${seconds} s` } : { status };
  } finally {
    await sandbox.remove();
  }
}

interface Change {
  /** A diff, base64. */
  diff: string;
  /** Only these files of it; all when absent. */
  only?: string[];
}

/** A mounted checkout has the run's change already; an image of its own has it not. The tests come last and win. */
function changesFor(fixes: Fix[], { test_patch }: Instance, { inside }: Place): Change[] {
  const changes = fixes.flatMap((fix): Change[] => {
    if ('diff' in fix) return [{ diff: Buffer.from(fix.diff).toString('base64') }];
    if (inside !== undefined) return [{ diff: fix.patch.diff, only: sourcesOf(fix.patch) }];
    return [];
  });
  return [...changes, ...(test_patch ? [{ diff: Buffer.from(test_patch).toString('base64') }] : [])];
}

const sourcesOf = (patch: Patch): string[] =>
  patch.files.filter((file) => file.kind === 'source').map((file) => file.path);

const CHUNK = 60_000;

/** In pieces, because the length of a command is bounded. @returns what git said when it refused */
async function applyChange(
  sandbox: Sandbox,
  { diff, only }: Change,
  as: { root?: boolean },
  signal: AbortSignal,
): Promise<string | undefined> {
  if (only?.length === 0) return undefined;
  const exec = (command: string) => sandbox.exec(command, { seconds: 120, ...as }, signal);
  await exec(': > /tmp/change.b64');
  for (let at = 0; at < diff.length; at += CHUNK) {
    await exec(`printf %s '${diff.slice(at, at + CHUNK)}' >> /tmp/change.b64`);
  }
  const included = (only ?? []).map((path) => `--include='${path.replaceAll("'", `'\\''`)}'`).join(' ');
  const applied = await exec(`base64 -d /tmp/change.b64 | git apply --whitespace=nowarn ${included} -`);
  return applied.exitCode === 0 ? undefined : applied.output.slice(-300);
}
