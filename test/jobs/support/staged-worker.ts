// A process of its own: a worker whose runs go through the stages of a diagnosis, each of which only takes its time.
import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import { CancelledError, HandedOverError } from '../../../src/domain/errors.ts';
import type { Run } from '../../../src/domain/run.ts';
import { systemClock } from '../../../src/domain/system-clock.ts';
import { openDatabase } from '../../../src/jobs/open-database.ts';
import type { KeptPorts, WorkerPorts } from '../../../src/jobs/worker-ports.ts';
import { emitEvent, type PipelinePorts, type RunContext, runStage } from '../../../src/pipeline/run-context.ts';
import { testWorker } from './worker.ts';

const [url = '', dataDir = '', log = '', stageMs = '100', concurrency = '4'] = process.argv.slice(2);
const stages = ['prepare', 'ask', 'answer', 'audit', 'report'] as const;
const note = (what: string, run = '-', stage = '-') =>
  appendFileSync(log, `${Date.now()} ${process.pid} ${what} ${run} ${stage}\n`);

const execute: WorkerPorts['execute'] = async (run, kept, signal) => {
  try {
    await workThrough(run, kept, signal);
    return { kind: 'diagnosed' };
  } catch (error) {
    if (error instanceof HandedOverError || !(error instanceof CancelledError)) throw error;
    return { kind: 'stopped', by: error.by };
  } finally {
    note('left', run.id);
  }
};

async function workThrough(run: Run, kept: KeptPorts, signal: AbortSignal): Promise<void> {
  const ports = { ...kept, clock: systemClock } as PipelinePorts;
  const emit: RunContext['emit'] = (event) => emitEvent(run.id, ports, event);
  const context: RunContext = { run, ports, settings: run.settings, signal, emit };
  for (const stage of stages) {
    await runStage(context, stage, z.object({ stage: z.string() }), async () => {
      note('start', run.id, stage);
      await systemClock.sleep(Number(stageMs), signal);
      note('work-done', run.id, stage);
      return { stage };
    });
    note('kept', run.id, stage);
  }
  await kept.ledger.save(run.id, 'end', { kind: 'diagnosed' });
}

const database = await openDatabase({ url: url === '' ? undefined : url, dataDir });
const worker = await testWorker(database, execute, { name: String(process.pid), concurrency: Number(concurrency) });
await worker.start();
note('ready');
process.on('message', (entry: Parameters<typeof worker.inbox.accept>[0]) => {
  worker.inbox.accept(entry).then(
    (answer) => process.send?.(answer),
    (error) => process.send?.(String(error)),
  );
});
process.on('SIGTERM', async () => {
  await worker.stop();
  await database.close();
  note('stopped');
  process.exit(0);
});
