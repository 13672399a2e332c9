import { createHash } from 'node:crypto';
import { hashOfIssue, type IssueSnapshot } from '../../domain/issue-snapshot.ts';
import type { Run } from '../../domain/run.ts';
import { maskIssue } from '../arms/mask-issue.ts';
import type { EvaluationPlan, Task } from './evaluation.ts';

/**
 * The run that `fathom diagnose` or `fathom resolve` would make of this instance under this arm. Its id is the same
 * each time in the same folder (`place`), so that a run that was interrupted goes on.
 */
export function makeRun(task: Task, plan: EvaluationPlan, place: string, now: Date): Run {
  const { instance, arm } = task;
  const id = createHash('sha256').update(`${place}\n${instance.instance_id}\n${arm.name}`).digest('hex').slice(0, 12);
  return {
    id: `eval-${id}`,
    mode: plan.scope === 'resolve' ? 'resolve' : 'diagnose',
    repository: { kind: 'local', path: task.path },
    base: instance.base_commit,
    snapshot: snapshotOf(task, now),
    settings: arm.settings(plan.settings),
    startedAt: now.toISOString(),
  };
}

/** The issue as first written: its first line is the title. Comments are not part of it: they may tell the fix. */
function snapshotOf({ instance, arm }: Task, now: Date): IssueSnapshot {
  const written = instance.problem_statement.replaceAll('\r\n', '\n').trim();
  const text = arm.masked ? maskIssue(written, instance.repo) : written;
  const lineEnd = text.indexOf('\n');
  const title = (lineEnd < 0 ? text : text.slice(0, lineEnd)).trim().slice(0, 300);
  const body = lineEnd < 0 ? '' : text.slice(lineEnd + 1).trim();
  const issue = { title, body, comments: [] };
  return {
    ...issue,
    trigger: { kind: 'terminal', actor: 'evaluation', at: now.toISOString() },
    hash: hashOfIssue(issue),
  };
}
