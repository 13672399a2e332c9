import { z } from 'zod';
import { Receipt } from '../domain/receipt.ts';
import { Stage } from '../domain/stage.ts';
import type { Prepared } from './artefacts.ts';
import type { PipelinePorts, RunContext } from './run-context.ts';

/** Keeps what the run is made of as soon as it is known. */
export async function keepReceipt(context: RunContext, prepared: Prepared): Promise<void> {
  const { run, ports, settings } = context;
  const kept = await ports.ledger.load(run.id, 'receipt', Receipt);
  const speaks: Record<string, boolean> = {
    questioner: settings.questions > 0,
    answerer: settings.questions > 0,
    localizer: settings.findings,
    verifier: settings.verifier !== 'off',
    resolver: run.mode === 'resolve',
  };
  const roles = Object.entries(settings.roles).flatMap(([role, { model }]) => (speaks[role] ? [[role, model]] : []));
  const hashes = Object.keys(settings.roles).map((role) => [role, ports.prompts.hash(role)]);
  const receipt: Receipt = {
    run: run.id,
    mode: run.mode,
    fathom: ports.version,
    base: prepared.base,
    snapshot: run.snapshot.hash,
    actor: run.snapshot.trigger.actor,
    models: Object.fromEntries(ports.model ? roles : []),
    recorded: ports.model?.describe().recorded ?? false,
    prompts: Object.fromEntries(hashes),
    settings,
    notes: kept?.notes ?? [],
    startedAt: kept?.startedAt ?? run.startedAt,
    spent: await ports.ledger.spent(run.id),
    secondsByStage: await secondsByStage(run.id, ports),
  };
  await ports.ledger.save(run.id, 'receipt', receipt);
}

/** Brings money and times of a kept receipt up to date, before it is shown; nothing where the run ended before it had one. */
export async function closeReceipt(run: string, ports: PipelinePorts): Promise<void> {
  const kept = await ports.ledger.load(run, 'receipt', Receipt);
  if (!kept) return;
  const spent = await ports.ledger.spent(run);
  await ports.ledger.save(run, 'receipt', { ...kept, spent, secondsByStage: await secondsByStage(run, ports) });
}

async function secondsByStage(run: string, ports: PipelinePorts): Promise<Receipt['secondsByStage']> {
  const seconds: Receipt['secondsByStage'] = {};
  for (const stage of Stage.options) {
    const one = await ports.ledger.load(run, `seconds/${stage}`, z.number());
    if (one !== undefined) seconds[stage] = one;
  }
  return seconds;
}
