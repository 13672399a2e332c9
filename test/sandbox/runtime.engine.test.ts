import Docker from 'dockerode';
import { expect, test } from 'vitest';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';
import { never, run, specFor } from './sandbox-fixture.ts';

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
  const host = createDockerHost({ runtime: 'no-such-runtime' });
  expect((await host.inspect(SANDBOX_IMAGE)).problems[0]).toMatchObject({
    message: expect.stringContaining('no-such-runtime, only'),
    remedy: expect.stringContaining('daemon.json'),
    fatal: true,
  });
  await expect(host.start(specFor('runtime'), never)).rejects.toMatchObject({ code: 'sandbox' });
});
