import type { Diagnosis } from '../domain/diagnosis.ts';
import { Resolution } from '../domain/patch.ts';
import type { Workspace } from '../domain/ports/workspaces.ts';
import { Proof } from '../domain/proof.ts';
import type { Prepared, PreparedEnvironment } from './artefacts.ts';
import { prove } from './prove.ts';
import { resolve } from './resolve.ts';
import { type RunContext, runStage } from './run-context.ts';

/** Stages 6 and 7: from a diagnosis to a change and what was shown about it. */
export async function repair(
  context: RunContext,
  prepared: Prepared,
  diagnosis: Diagnosis,
  environment: PreparedEnvironment,
  workspace: Workspace,
): Promise<{ resolution: Resolution; proof: Proof }> {
  const resolution = await runStage(context, 'resolve', Resolution, () =>
    resolve(context, prepared, diagnosis, environment, workspace),
  );
  const proof = await runStage(context, 'prove', Proof, () =>
    prove(context, prepared, resolution, environment, workspace),
  );
  return { resolution, proof };
}
