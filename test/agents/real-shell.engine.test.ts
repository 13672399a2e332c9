import { expect, it } from 'vitest';
import { resolveIssue } from '#src/agents/resolver.ts';
import { CancelledError } from '#src/domain/errors.ts';
import type { Sandbox } from '#src/domain/ports/index.ts';
import { callingTool, modelSaying, scriptedModel } from '../fakes/scripted-model.ts';
import { host, never, specFor } from '../sandbox/sandbox-fixture.ts';
import { issue, lastText, testAgent } from './agent-fixture.ts';

const shell = (command: string) => callingTool('shell', { command });
const report = { summary: 'Nothing to change.', noChangeReason: 'It works.' };
const submit = callingTool('submit_resolution', report);

it('a Resolver sees what a real shell did: a fresh one each time, whose files stay', async () => {
  await using sandbox = await disposable('agents-shell');
  const model = modelSaying(
    shell('cd / && X=1 && echo kept > /tmp/file'),
    shell('pwd; echo "X=$X"; cat /tmp/file; exit 3'),
    shell('seq 30000'),
    shell('sleep 30 & echo started'),
    submit,
  );
  const result = await resolveIssue({ issue, diagnosis: undefined, sandbox }, testAgent(model).context, never);
  expect(result).toMatchObject({ end: 'submitted', submission: report });
  const told = model.requests.map(lastText);
  expect(told[2]).toMatch(/^exit code: 3\n<output-\w+>\n\/tmp\nX=\nkept\n/);
  expect(told[3]).toContain('/tmp/command-output-');
  expect(told[4]).toContain('sleep 30');
});

it('a Resolver whose container is removed ends as sandbox-lost', async () => {
  await using sandbox = await disposable('agents-lost');
  const model = scriptedModel(async (request) => {
    if (request.step === 2) await sandbox.remove();
    return shell('echo hello');
  });
  const result = await resolveIssue({ issue, diagnosis: undefined, sandbox }, testAgent(model).context, never);
  expect(result).toMatchObject({ end: 'sandbox-lost', steps: 2 });
});

it('a Resolver that is stopped during a command ends as cancelled, and the command with it', async () => {
  await using sandbox = await disposable('agents-stopped');
  const controller = new AbortController();
  const stopped: Sandbox = {
    ...sandbox,
    exec: (command, options, signal) => {
      const running = sandbox.exec(command, options, signal);
      controller.abort(new CancelledError('@alice'));
      return running;
    },
  };
  const agent = testAgent(modelSaying(shell('sleep 100')));
  const input = { issue, diagnosis: undefined, sandbox: stopped };
  const result = await resolveIssue(input, agent.context, controller.signal);
  expect(result).toMatchObject({ end: 'cancelled', detail: 'stopped by @alice' });
  const { output } = await sandbox.exec('ps -eo args', { seconds: 20 }, never);
  expect(output).not.toContain('sleep 100');
});

async function disposable(run: string) {
  const sandbox = await host.start(specFor(run), never);
  return Object.assign(sandbox, { [Symbol.asyncDispose]: () => sandbox.remove() });
}
