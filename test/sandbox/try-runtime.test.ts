import { expect, test } from 'vitest';
import { SandboxError } from '#src/domain/errors.ts';
import type { ExecResult, Sandbox } from '#src/domain/ports/sandbox-host.ts';
import { tryRuntime } from '#src/sandbox/try-runtime.ts';

/** A host whose every command ends like this. @returns It, and how many of its containers are still there. */
function hostWith(exitCode: number, output: string) {
  const open = { count: 0 };
  const sandbox = {
    exec: async () => ({ exitCode, output }) as ExecResult,
    remove: async () => {
      open.count -= 1;
    },
  } as unknown as Sandbox;
  const start = async () => {
    open.count += 1;
    return sandbox;
  };
  return { start, open };
}

test('a runtime in which programs run has no problem, and its trial leaves no container', async () => {
  const host = hostWith(0, '');
  expect(await tryRuntime(host, 'image')).toEqual([]);
  expect(host.open.count).toBe(0);
});

test('a runtime in which agents could not even list a folder is told with what it said', async () => {
  const host = hostWith(2, "ls: cannot access '/': Invalid argument\n");
  expect(await tryRuntime(host, 'image')).toMatchObject([{ message: expect.stringContaining('Invalid'), fatal: true }]);
  expect(host.open.count).toBe(0);
});

test('a runtime that starts nothing, or hides the way out from set-ups, is told with its own remedy', async () => {
  const start = () => Promise.reject(new SandboxError('it does not start', 'Do this.'));
  const problem = { message: 'it does not start', remedy: 'Do this.', fatal: true };
  expect(await tryRuntime({ start }, 'image')).toEqual([problem]);
});
