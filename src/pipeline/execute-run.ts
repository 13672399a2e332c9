import type { RunEnd } from '../domain/ends.ts';
import { CancelledError, FathomError, HandedOverError } from '../domain/errors.ts';
import type { Workspace } from '../domain/ports/workspaces.ts';
import type { Run } from '../domain/run.ts';
import type { RunEventBody } from '../domain/run-events.ts';
import { openRepository } from '../repository/open-repository.ts';
import type { Repository } from '../repository/repository.ts';
import { Prepared, type PreparedEnvironment } from './artefacts.ts';
import { diagnose } from './diagnose.ts';
import { followBase } from './follow-base.ts';
import { inTheWay } from './in-the-way.ts';
import { prepare } from './prepare.ts';
import { propose } from './propose.ts';
import { closeReceipt, keepReceipt } from './receipt.ts';
import { repair } from './repair.ts';
import { emitEvent, type PipelinePorts, type RunContext, runStage } from './run-context.ts';
import { environmentAtHand, setUp } from './set-up.ts';

/**
 * Executes a run from wherever it stands to its end. Everything that can go wrong comes back as an end; what was
 * finished before is kept by the ledger. No container or copy of the repository is left behind.
 * @throws HandedOverError when `stop` or the ledger says that another attempt goes on with the run: then it has no end.
 */
export async function executeRun(run: Run, ports: PipelinePorts, stop: AbortSignal): Promise<RunEnd> {
  const limit = AbortSignal.timeout(run.settings.seconds * 1000);
  const { signal, release } = cancelledBy(stop, limit);
  const emit = (event: RunEventBody) => emitEvent(run.id, ports, event);
  let end: RunEnd;
  try {
    await ports.ledger.save(run.id, 'run', run);
    await emit({ type: 'run-started', mode: run.mode, title: run.snapshot.title });
    end = await withWorkspace({ run, ports, settings: run.settings, signal, emit });
  } catch (error) {
    const handedOver = [error, signal.reason].find((reason) => reason instanceof HandedOverError);
    if (handedOver) {
      await ports.sandboxes.sweep(run.id).catch(() => 0);
      throw handedOver;
    }
    end = endOf(error, signal);
  } finally {
    release();
  }
  await ports.sandboxes.sweep(run.id).catch(() => 0);
  await finish(run, ports, end, emit);
  return end;
}

/** The stages, in order, on a workspace that is gone afterwards. */
async function withWorkspace(context: RunContext): Promise<RunEnd> {
  const { run, ports, signal } = context;
  const before = await ports.ledger.load(run.id, 'prepare', Prepared);
  const base = before?.base ?? run.base;
  const workspace = await ports.workspaces.open(
    {
      run: run.id,
      repository: run.repository,
      protectedPaths: run.settings.protectedPaths,
      ...(base === undefined ? {} : { base }),
    },
    signal,
  );
  const repository = openRepository(workspace.tree);
  try {
    return await stages(context, workspace, repository);
  } finally {
    await repository.close();
    await workspace.dispose();
  }
}

async function stages(outer: RunContext, workspace: Workspace, repository: Repository): Promise<RunEnd> {
  const prepared = await runStage(outer, 'prepare', Prepared, () => prepare(outer, workspace, repository));
  // Which model speaks may be chosen anew for a resumed run; what the repository configured stays as it was prepared.
  const { roles, protocol } = outer.run.settings;
  const context = { ...outer, settings: { ...prepared.settings, roles, protocol } };
  await keepReceipt(context, prepared);
  if (!context.ports.model) return { kind: 'ranked' };
  const setUpRun = context.run.mode === 'resolve' ? startSetUp(context, workspace) : undefined;
  try {
    const environment = setUpRun?.environment ?? lookUpEnvironment(context, workspace);
    const diagnosis = await diagnose(context, prepared, workspace, repository, environment);
    if (!setUpRun) return { kind: 'diagnosed' };
    const blocked = await inTheWay(context, diagnosis);
    if (blocked) return blocked;
    const repaired = await repair(context, prepared, diagnosis, await setUpRun.environment, workspace);
    return await propose(context, { diagnosis, ...(await followBase(context, prepared, repaired, workspace)) });
  } finally {
    await setUpRun?.end();
  }
}

/** Only Answerers need it; whatever keeps it from being found, they can do without. */
function lookUpEnvironment(context: RunContext, workspace: Workspace): Promise<PreparedEnvironment> | undefined {
  if (context.settings.questions === 0) return undefined;
  const environment = environmentAtHand(context, workspace);
  environment.catch(() => undefined);
  return environment;
}

/** Set-up beside the diagnosis; when that fails, nobody waits for it any more, and it must not outlive its workspace. */
function startSetUp(context: RunContext, workspace: Workspace) {
  const controller = new AbortController();
  const signal = AbortSignal.any([context.signal, controller.signal]);
  const environment = setUp({ ...context, signal }, workspace);
  // Its failure is met where it is awaited; until then it must not count as nobody's.
  const settled = environment.catch(() => undefined);
  return {
    environment,
    end: async () => {
      controller.abort(new CancelledError('the end of its run'));
      await settled;
    },
  };
}

async function finish(
  run: Run,
  ports: PipelinePorts,
  end: RunEnd,
  emit: (event: RunEventBody) => Promise<void>,
): Promise<void> {
  // A full disk may be why the run ended; then its end cannot be written either, and must still be returned.
  try {
    await closeReceipt(run.id, ports);
    await ports.ledger.save(run.id, 'end', end);
    await emit({ type: 'run-finished', end, spent: await ports.ledger.spent(run.id) });
  } catch (error) {
    if (end.kind !== 'failed') throw error;
  }
}

/** `release` lets go of `stop`, which may outlive many runs. */
function cancelledBy(stop: AbortSignal, limit: AbortSignal): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const abort = ({ reason }: AbortSignal) =>
    controller.abort(reason instanceof CancelledError ? reason : new CancelledError('its time limit'));
  const listeners = [stop, limit].map((signal) => ({ signal, heard: () => abort(signal) }));
  for (const { signal, heard } of listeners) {
    if (signal.aborted) heard();
    signal.addEventListener('abort', heard, { once: true });
  }
  const release = () => {
    for (const { signal, heard } of listeners) signal.removeEventListener('abort', heard);
  };
  return { signal: controller.signal, release };
}

function endOf(error: unknown, signal: AbortSignal): RunEnd {
  if (error instanceof CancelledError) return { kind: 'stopped', by: error.by };
  if (signal.aborted && signal.reason instanceof CancelledError) return { kind: 'stopped', by: signal.reason.by };
  if (error instanceof FathomError) {
    return { kind: 'failed', code: error.code, message: error.message, remedy: error.remedy };
  }
  const message = error instanceof Error ? error.message : String(error);
  const remedy = 'This is a fault of Fathom: please report it with the run folder. Going on with --resume may work.';
  return { kind: 'failed', code: 'unexpected', message, remedy };
}
