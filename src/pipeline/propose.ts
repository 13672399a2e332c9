import { RunEnd } from '../domain/ends.ts';
import { isEmptyPatch } from '../domain/patch.ts';
import { nothingToPropose } from './nothing-to-propose.ts';
import { closeReceipt } from './receipt.ts';
import { type Repaired, type RunContext, runStage } from './run-context.ts';
import { secretsAddedBy } from './withhold-secrets.ts';

/** Stage 8: a proven change becomes a pull request where there is a code host; else the reason why it does not. */
export async function propose(context: RunContext, repaired: Omit<Repaired, 'run'>): Promise<RunEnd> {
  const { resolution, proof } = repaired;
  if (isEmptyPatch(resolution.patch)) return { kind: 'no-pull-request', reason: nothingToPropose(resolution) };
  const proven = proof.verdict === 'proven';
  const { ports, run, signal } = context;
  const withheld = ports.secrets && (await secretsAddedBy(resolution.patch, ports.secrets));
  if (withheld !== undefined) return { kind: 'no-pull-request', reason: withheld };
  const make = ports.propose;
  if (!make) return { kind: 'repaired', proven };
  if (!proven && !mayOpenUnproven(context)) return { kind: 'no-pull-request', reason: proof.reason };
  return runStage(context, 'propose', RunEnd, async () => {
    await closeReceipt(run.id, ports);
    return make({ run, ...repaired }, signal);
  });
}

/** The operator's word of today holds, also for a run whose settings are older. */
const mayOpenUnproven = ({ settings, run }: RunContext): boolean =>
  settings.openWithoutProof && run.settings.repositoryLimits?.openWithoutProof !== false;
