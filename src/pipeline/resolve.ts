import { resolveIssue } from '../agents/resolver.ts';
import type { Diagnosis } from '../domain/diagnosis.ts';
import { isEmptyPatch, type Resolution } from '../domain/patch.ts';
import type { Workspace, WriterCopy } from '../domain/ports/workspaces.ts';
import { agentContext, finished, withSandbox } from './agent-run.ts';
import type { Prepared, PreparedEnvironment } from './artefacts.ts';
import { Attempt, contextOfAttempt } from './attempts.ts';
import { describeEnvironment } from './describe-environment.ts';
import { gateFindings } from './gate-findings.ts';
import { prove } from './prove.ts';
import { reviewChange, strayEditsOf } from './review-change.ts';
import { keepPart, type RunContext } from './run-context.ts';
import { selectAttempt } from './select-attempt.ts';

/** Under this key the ledger keeps what a Resolver had changed when it was stopped for good. */
export const RECOVERED = 'resolve/recovered';
const RECOVERY_MS = 60_000;

/**
 * Stage 6: the repair, with the knowledge in hand. The change is taken by us, however the agent ended. With several
 * `attempts` each has its share of the Resolver's budget, is proven by itself, and the best is taken; its proof comes along.
 */
export async function resolve(
  context: RunContext,
  prepared: Prepared,
  diagnosis: Diagnosis,
  environment: PreparedEnvironment,
  workspace: Workspace,
): Promise<Attempt> {
  const total = context.settings.attempts ?? 1;
  const place = { prepared, diagnosis, environment, workspace };
  if (total === 1) return { resolution: await resolveOnce(context, place, 'resolver') };
  const attempts: Attempt[] = [];
  for (let number = 1; number <= total; number++) {
    const attempt = await keepPart(context, `resolve/attempt-${number}`, Attempt, () =>
      resolveAndProve(contextOfAttempt(context, total), place, `resolver-${number}`),
    );
    attempts.push(attempt);
    context.signal.throwIfAborted();
  }
  const selected = selectAttempt(attempts);
  const chosen = attempts[selected?.index ?? 0];
  if (chosen === undefined) throw new RangeError('no attempt was made');
  const words = selected && `Of ${total} attempts the ${ordinal(selected.index)} was taken: ${selected.because}.`;
  if (words !== undefined) await context.emit({ type: 'note', text: words });
  return chosen;
}

const ordinal = (index: number): string => ['first', 'second', 'third', 'fourth', 'fifth'][index] ?? `${index + 1}th`;

interface Place {
  prepared: Prepared;
  diagnosis: Diagnosis;
  environment: PreparedEnvironment;
  workspace: Workspace;
}

async function resolveAndProve(context: RunContext, place: Place, agent: string): Promise<Attempt> {
  const resolution = await resolveOnce(context, place, agent);
  if (isEmptyPatch(resolution.patch)) return { resolution };
  const proof = await prove(context, place.prepared, resolution, place.environment, place.workspace);
  return { resolution, proof };
}

async function resolveOnce(context: RunContext, place: Place, agent: string): Promise<Resolution> {
  const { prepared, diagnosis, environment, workspace } = place;
  const copy = await workspace.writer(agent);
  const spec = { purpose: agent, image: environment.image, mount: copy.mount, variables: environment.variables };
  const where = { prepared, diagnosis, tree: workspace.tree };
  const input = {
    issue: prepared.issue,
    diagnosis: gateFindings(diagnosis, context.settings.findingsGate),
    look: async (signal: AbortSignal) => reviewChange(await copy.takePatch(signal), where),
  };
  try {
    const result = await withSandbox(context, spec, async (sandbox) => {
      const about = await describeEnvironment(sandbox, environment, context.signal);
      const whole = { ...input, sandbox, environment: about };
      return resolveIssue(whole, agentContext(context, agent), context.signal);
    });
    const { submission, end } = finished(context, result);
    const patch = await copy.takePatch(context.signal);
    const stray = await strayEditsOf(patch, where);
    return {
      patch,
      ...(stray.length > 0 ? { stray } : {}),
      end,
      recovered: end !== 'submitted',
      ...(submission ? { report: submission } : {}),
    };
  } catch (error) {
    await keepUnfinished(context, copy);
    throw error;
  }
}

/** A stopped run or a failed model ends the stage, which starts anew; what was changed so far must not be lost with it. */
async function keepUnfinished(context: RunContext, copy: WriterCopy): Promise<void> {
  try {
    // The run's own signal may be what ended it.
    const patch = await copy.takePatch(AbortSignal.timeout(RECOVERY_MS));
    if (isEmptyPatch(patch)) return;
    await context.ports.ledger.save(context.run.id, RECOVERED, patch);
    const files = patch.files.map((file) => file.path).slice(0, 5);
    await context.emit({
      type: 'note',
      text: `What the Resolver had changed is kept (${RECOVERED}): ${files.join(', ')}.`,
    });
  } catch {
    // What ended the stage is what has to be told; a workspace that is gone with it adds nothing.
  }
}
