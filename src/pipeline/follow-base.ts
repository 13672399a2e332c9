import { z } from 'zod';
import { isEmptyPatch, Resolution } from '../domain/patch.ts';
import type { Workspace } from '../domain/ports/workspaces.ts';
import { Proof } from '../domain/proof.ts';
import type { Prepared } from './artefacts.ts';
import { prove } from './prove.ts';
import { keepPart, type RunContext } from './run-context.ts';
import { makeEnvironment } from './set-up.ts';

/** Under this key the ledger keeps what the resolution and its proof became where the default branch had moved. */
const MOVED = 'moved';
const Repair = z.object({ resolution: Resolution, proof: Proof });
type Repair = z.infer<typeof Repair>;

/**
 * Before a change is proposed: where the default branch has moved since the run began, the change is laid on the branch
 * as it is now and proven there again. Where it does not apply any more, that is said, and it stays what it was.
 */
export async function followBase(
  context: RunContext,
  prepared: Prepared,
  repair: Repair,
  workspace: Workspace,
): Promise<Repair> {
  const { ports, run, signal, settings } = context;
  const isWanted = repair.proof.verdict === 'proven' || settings.openWithoutProof;
  if (!ports.currentBase || run.base !== undefined || isEmptyPatch(repair.resolution.patch) || !isWanted) return repair;
  const currentBase = ports.currentBase;
  return keepPart(context, MOVED, Repair, async () => {
    const to = await currentBase(signal);
    return to === undefined || to === workspace.base ? repair : carryTo(context, prepared, repair, to);
  });
}

async function carryTo(context: RunContext, prepared: Prepared, repair: Repair, to: string): Promise<Repair> {
  const { ports, run, signal, settings } = context;
  const { resolution } = repair;
  const from = resolution.patch.base;
  const { protectedPaths } = settings;
  const request = { run: `${run.id}-moved`, repository: run.repository, base: to, protectedPaths };
  await context.emit({
    type: 'note',
    text: `The default branch has moved to ${short(to)}; the change is tried there.`,
  });
  const workspace = await ports.workspaces.open(request, signal);
  try {
    const patch = { ...resolution.patch, base: to };
    const tried = await workspace.checkout('moved', patch);
    if (!tried.applied) return { ...repair, resolution: { ...resolution, moved: { from, to, outcome: 'conflict' } } };
    const carried: Resolution = { ...resolution, patch, moved: { from, to, outcome: 'rebased' } };
    const proof = await prove(context, prepared, carried, await makeEnvironment(context, workspace), workspace);
    const isProven = proof.verdict === 'proven';
    const reason = isProven ? proof.reason : `On the default branch as it is now (${short(to)}): ${proof.reason}`;
    return { resolution: carried, proof: { ...proof, reason } };
  } finally {
    await workspace.dispose();
  }
}

const short = (sha: string): string => sha.slice(0, 7);
