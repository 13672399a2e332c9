import { chmodSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { expect, test } from 'vitest';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';
import { host, never, run, specFor } from './sandbox-fixture.ts';

test('the runtime that an operator chose is what containers run with', async () => {
  const sandbox = await createDockerHost({ runtime: 'runc' }).start(specFor('runtime'), never);
  try {
    expect((await new Docker().getContainer(sandbox.id).inspect()).HostConfig.Runtime).toBe('runc');
    expect((await run(sandbox, 'echo fine')).output).toBe('fine\n');
  } finally {
    await sandbox.remove();
  }
});

test('a runtime that the engine does not know is told by doctor, and nothing runs without it', async () => {
  const wrong = createDockerHost({ runtime: 'no-such-runtime' });
  expect((await wrong.inspect(SANDBOX_IMAGE)).problems[0]).toMatchObject({
    message: expect.stringContaining('no-such-runtime, only'),
    remedy: expect.stringContaining('daemon.json'),
    fatal: true,
  });
  await expect(wrong.start(specFor('runtime'), never)).rejects.toMatchObject({ code: 'sandbox' });
});

test('what a command writes belongs on the host to the user whom the engine says, mapped or not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-owner-'));
  chmodSync(folder, 0o777);
  const mounts = [{ kind: 'bind', source: folder, target: '/repo', readOnly: false } as const];
  const sandbox = await host.start(specFor('owner-test', { mounts, workdir: '/repo' }), never);
  try {
    await run(sandbox, 'touch written');
    expect(lstatSync(join(folder, 'written')).uid).toBe((await host.userOnHost?.()) ?? 65_534);
  } finally {
    await sandbox.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});
