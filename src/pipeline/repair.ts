import type { Diagnosis } from '../domain/diagnosis.ts';
import { Resolution } from '../domain/patch.ts';
import type { Workspace } from '../domain/ports/workspaces.ts';
import { Proof } from '../domain/proof.ts';
import type { Prepared, PreparedEnvironment } from './artefacts.ts';
import { prove } from './prove.ts';
import { resolve } from './resolve.ts';
import { type RunContext, runStage } from './run-context.ts';

/** Under this key the ledger keeps the proof of the attempt that was taken. */
const KEPT_PROOF = 'resolve/proof';

/** Stages 6 and 7: from a diagnosis to a change and what was shown about it. */
export async function repair(
  context: RunContext,
  prepared: Prepared,
  diagnosis: Diagnosis,
  environment: PreparedEnvironment,
  workspace: Workspace,
): Promise<{ resolution: Resolution; proof: Proof }> {
  const { ledger } = context.ports;
  const resolution = await runStage(context, 'resolve', Resolution, async () => {
    const attempt = await resolve(context, prepared, diagnosis, environment, workspace);
    if (attempt.proof) await ledger.save(context.run.id, KEPT_PROOF, attempt.proof);
    return attempt.resolution;
  });
  const proof = await runStage(
    context,
    'prove',
    Proof,
    async () =>
      (await ledger.load(context.run.id, KEPT_PROOF, Proof)) ??
      prove(context, prepared, resolution, environment, workspace),
  );
  return { resolution, proof };
}
