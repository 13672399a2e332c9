import { Diagnosis } from '../domain/diagnosis.ts';
import { HandedOverError } from '../domain/errors.ts';
import type { Workspace } from '../domain/ports/workspaces.ts';
import type { Repository } from '../repository/repository.ts';
import { answer } from './answer.ts';
import { Answered, Asked, Audited, type Prepared, type PreparedEnvironment } from './artefacts.ts';
import { ask } from './ask.ts';
import { audit } from './audit.ts';
import { lookAtEngine } from './look-at-engine.ts';
import { keepPartialDiagnosis } from './partial-diagnosis.ts';
import { closeReceipt } from './receipt.ts';
import { report } from './report.ts';
import { type RunContext, runStage } from './run-context.ts';

/**
 * Stages 2 to 5: from a prepared run to its diagnosis. `setUp` goes on beside it and is used where it is done in time.
 * What was finished before a failure is kept as a partial diagnosis.
 */
export async function diagnose(
  context: RunContext,
  prepared: Prepared,
  workspace: Workspace,
  repository: Repository,
  setUp?: Promise<PreparedEnvironment>,
): Promise<Diagnosis> {
  try {
    const asked = await runStage(context, 'ask', Asked, async () => {
      await lookAtEngine(context);
      return ask(context, prepared, repository);
    });
    const answered = await runStage(context, 'answer', Answered, () =>
      answer(context, prepared, asked, workspace, repository, setUp),
    );
    const audited = await runStage(context, 'audit', Audited, () => audit(context, prepared, answered, repository));
    return await runStage(context, 'report', Diagnosis, async () => {
      await closeReceipt(context.run.id, context.ports);
      return report(prepared, asked, answered, audited);
    });
  } catch (error) {
    // Why the run failed is what counts: that its pieces could not be put together adds nothing.
    if (!(error instanceof HandedOverError)) {
      await keepPartialDiagnosis(context, prepared, repository).catch(() => undefined);
    }
    throw error;
  }
}
