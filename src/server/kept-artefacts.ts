import { z } from 'zod';
import { Diagnosis } from '../domain/diagnosis.ts';
import { Suspect } from '../domain/finding.ts';
import { RenderedIssue } from '../domain/issue-snapshot.ts';
import { Resolution } from '../domain/patch.ts';
import type { RunLedger } from '../domain/ports/run-ledger.ts';
import { Proof } from '../domain/proof.ts';
import { Receipt } from '../domain/receipt.ts';

/** What the first stage left behind, as far as a reader is shown it. */
const Preparation = z.object({
  base: z.string(),
  issue: RenderedIssue,
  suspects: z.array(Suspect),
  notes: z.array(z.string()),
});

/** What both became where the default branch had moved before the change was proposed. */
const Moved = z.object({ resolution: Resolution, proof: Proof });

export interface KeptArtefacts {
  preparation: z.infer<typeof Preparation> | undefined;
  diagnosis: Diagnosis | undefined;
  resolution: Resolution | undefined;
  proof: Proof | undefined;
  receipt: Receipt | undefined;
}

/** What the run has come to so far. */
export async function loadArtefacts(ledger: Pick<RunLedger, 'load'>, run: string): Promise<KeptArtefacts> {
  const moved = await ledger.load(run, 'moved', Moved);
  return {
    preparation: await ledger.load(run, 'prepare', Preparation),
    diagnosis: (await ledger.load(run, 'report', Diagnosis)) ?? (await ledger.load(run, 'partial', Diagnosis)),
    resolution: moved?.resolution ?? (await ledger.load(run, 'resolve', Resolution)),
    proof: moved?.proof ?? (await ledger.load(run, 'prove', Proof)),
    receipt: await ledger.load(run, 'receipt', Receipt),
  };
}
