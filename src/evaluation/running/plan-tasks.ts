import { goldOf } from '../datasets/gold.ts';
import type { EvaluationPlan, EvaluationPorts, Skipped, Task } from './evaluation.ts';

/**
 * The runs to do, all arms of one instance after the other, so that what is done at any time can be compared; arms that
 * are given another instance's findings come last. What cannot be evaluated is named with its reason.
 */
export async function planTasks(
  plan: EvaluationPlan,
  ports: Pick<EvaluationPorts, 'check'>,
  signal: AbortSignal,
): Promise<{ tasks: Task[]; skipped: Skipped[] }> {
  const skipped: Skipped[] = plan.bad.map(({ line, instance, reason }) => ({
    instance: instance ?? `line ${line}`,
    reason: 'malformed-line',
    detail: `line ${line}: ${reason}`,
  }));
  const tasks: Task[] = [];
  for (const instance of plan.instances) {
    const gold = goldIn(instance.patch);
    if ('detail' in gold) {
      skipped.push({ instance: instance.instance_id, reason: 'no-gold', detail: gold.detail });
      continue;
    }
    const checked = await ports.check(instance, signal);
    if (!checked.ready) {
      skipped.push({ instance: instance.instance_id, reason: checked.reason, detail: checked.detail });
      continue;
    }
    for (const arm of plan.arms) tasks.push({ instance, arm, gold, path: checked.path });
  }
  const late = (task: Task) => Number(task.arm.given === 'shuffled');
  return { tasks: tasks.sort((a, b) => late(a) - late(b)), skipped };
}

function goldIn(patch: string) {
  try {
    const gold = goldOf(patch);
    return gold.files.length > 0 ? gold : { detail: 'the fix changes tests only' };
  } catch (error) {
    return { detail: `the fix cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}
