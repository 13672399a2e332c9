import { resolveIssue } from '../agents/resolver.ts';
import type { Diagnosis } from '../domain/diagnosis.ts';
import type { Resolution } from '../domain/patch.ts';
import type { Workspace } from '../domain/ports/workspaces.ts';
import { agentContext, finished, withSandbox } from './agent-run.ts';
import type { Prepared, PreparedEnvironment } from './artefacts.ts';
import { describeEnvironment } from './describe-environment.ts';
import { gateFindings } from './gate-findings.ts';
import type { RunContext } from './run-context.ts';

/** Stage 6: the repair, with the knowledge in hand. The change is taken by us, however the agent ended. */
export async function resolve(
  context: RunContext,
  prepared: Prepared,
  diagnosis: Diagnosis,
  environment: PreparedEnvironment,
  workspace: Workspace,
): Promise<Resolution> {
  const copy = await workspace.writer('resolver');
  const spec = {
    purpose: 'resolver',
    image: environment.image,
    mount: copy.mount,
    variables: environment.variables,
  };
  const input = {
    issue: prepared.issue,
    diagnosis: gateFindings(diagnosis, context.settings.findingsGate),
  };
  const result = await withSandbox(context, spec, async (sandbox) => {
    const about = await describeEnvironment(sandbox, environment, context.signal);
    const whole = { ...input, sandbox, environment: about };
    return resolveIssue(whole, agentContext(context, 'resolver'), context.signal);
  });
  const { submission, end } = finished(context, result);
  const patch = await copy.takePatch(context.signal);
  return { patch, end, recovered: end !== 'submitted', ...(submission ? { report: submission } : {}) };
}
