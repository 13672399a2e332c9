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

export interface KeptArtefacts {
  preparation: z.infer<typeof Preparation> | undefined;
  diagnosis: Diagnosis | undefined;
  resolution: Resolution | undefined;
  proof: Proof | undefined;
  receipt: Receipt | undefined;
}

/** What the run has come to so far. */
export async function loadArtefacts(ledger: Pick<RunLedger, 'load'>, run: string): Promise<KeptArtefacts> {
  return {
    preparation: await ledger.load(run, 'prepare', Preparation),
    diagnosis: (await ledger.load(run, 'report', Diagnosis)) ?? (await ledger.load(run, 'partial', Diagnosis)),
    resolution: await ledger.load(run, 'resolve', Resolution),
    proof: await ledger.load(run, 'prove', Proof),
    receipt: await ledger.load(run, 'receipt', Receipt),
  };
}
