import { expect, test } from 'vitest';
import { InputError } from '../../src/domain/errors.ts';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';

test('an address that is none is refused with what one looks like', () => {
  for (const host of ['nonsense', 'ftp://somewhere', 'unix:/one-slash']) {
    expect(() => createDockerHost({ host })).toThrow(InputError);
  }
});

test('an engine that is not there is reported with its address and what to do, and nothing throws', async () => {
  const report = await createDockerHost({ socketPath: '/nowhere/docker.sock' }).inspect('any');
  expect(report.reachable).toBe(false);
  expect(report.problems).toHaveLength(1);
  expect(report.problems[0]).toMatchObject({ fatal: true, remedy: expect.stringContaining('Start the Docker Engine') });
  expect(report.problems[0]?.message).toContain('/nowhere/docker.sock');
});

test('nothing starts on an engine that is not there, and the error says what to do', async () => {
  const host = createDockerHost({ host: 'unix:///nowhere/docker.sock' });
  const spec = { run: 'r', purpose: 'p', image: 'any', mounts: [], workdir: '/', network: 'none' as const };
  await expect(host.start(spec, new AbortController().signal)).rejects.toMatchObject({
    code: 'sandbox',
    lost: false,
    remedy: expect.stringContaining('Start the Docker Engine'),
  });
});
