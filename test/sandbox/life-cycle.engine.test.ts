import Docker from 'dockerode';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Sandbox, SandboxSpec } from '../../src/domain/ports/sandbox-host.ts';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';
import { host, never, run, specFor } from './sandbox-fixture.ts';

const engine = new Docker();
const SAVED = 'fathom-test-saved:one';

async function start(name: string, extra: Partial<SandboxSpec> = {}): Promise<Sandbox> {
  const sandbox = await host.start(specFor(name, extra), never);
  onTestFinished(() => sandbox.remove());
  return sandbox;
}

afterAll(async () => {
  await engine
    .getImage(SAVED)
    .remove({ force: true })
    .catch(() => undefined);
});

test('a container says whose it is', async () => {
  const sandbox = await start('named', { purpose: 'answerer Q1' });
  const { Config, Name } = await engine.getContainer(sandbox.id).inspect();
  expect(Config.Labels).toMatchObject({ 'fathom.run': 'named', 'fathom.purpose': 'answerer Q1' });
  expect(Name).toMatch(/^\/fathom-named-answerer-Q1-/);
});

test('an image that the engine does not have is told as such, with what to do', async () => {
  const spec = specFor('missing', { image: 'fathom-no-such-image:none' });
  await expect(host.start(spec, never)).rejects.toMatchObject({
    code: 'sandbox',
    lost: false,
    message: expect.stringContaining('fathom-no-such-image:none'),
    remedy: expect.stringContaining('npm run provide'),
  });
  expect(await host.imageDigest('fathom-no-such-image:none')).toBeUndefined();
});

test('a folder of the host that is not there keeps the container from starting, and nothing stays behind', async () => {
  const mounts = [{ kind: 'bind' as const, source: '/no/such/folder', target: '/repo', readOnly: true }];
  await expect(host.start(specFor('bad-mount', { mounts }), never)).rejects.toMatchObject({ code: 'sandbox' });
  expect(await host.sweep('bad-mount')).toBe(0);
});

test('a run that is already stopped starts no container', async () => {
  await expect(host.start(specFor('stopped'), AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  expect(await host.sweep('stopped')).toBe(0);
});

test('a container that is removed while a command runs is told as lost, and so is every later use', async () => {
  const sandbox = await start('lost');
  const command = run(sandbox, 'sleep 930');
  setTimeout(() => void engine.getContainer(sandbox.id).remove({ force: true }), 300);
  await expect(command).rejects.toMatchObject({ code: 'sandbox', lost: true });
  await expect(run(sandbox, 'true')).rejects.toMatchObject({ lost: true });
  await expect(sandbox.readFile('/etc/hostname', 10)).rejects.toMatchObject({ lost: true });
  await sandbox.remove();
});

test('a container goes away by itself after its life, whatever became of who started it', async () => {
  const shortLived = createDockerHost({ limits: { lifeSeconds: 1 } });
  const sandbox = await shortLived.start(specFor('short'), never);
  await engine
    .getContainer(sandbox.id)
    .wait({ condition: 'removed' })
    .catch(() => undefined);
  await expect(run(sandbox, 'true')).rejects.toMatchObject({ lost: true });
});

test('sweeping a run removes its containers and volumes and nobody else’s', async () => {
  const mine = [await start('sweep-a'), await start('sweep-a')];
  const other = await start('sweep-b');
  await engine.createVolume({ Name: 'fathom-test-sweep', Labels: { 'fathom.run': 'sweep-a' } });
  expect(await host.runs?.()).toEqual(expect.arrayContaining(['sweep-a', 'sweep-b']));
  expect(await host.sweep('sweep-a')).toBe(3);
  for (const sandbox of mine) await expect(run(sandbox, 'true')).rejects.toMatchObject({ lost: true });
  expect((await run(other, 'echo here')).output).toBe('here\n');
  expect(await host.sweep('sweep-a')).toBe(0);
  expect(await host.runs?.()).not.toContain('sweep-a');
});

test('files are read with a limit, and what is no readable file is undefined', async () => {
  const sandbox = await start('files');
  await run(
    sandbox,
    "printf 'a\\000\\377b' > /tmp/bytes; mkfifo /tmp/fifo; ln -s /etc/passwd /tmp/link; touch /tmp/shut; chmod 0 /tmp/shut",
  );
  expect(await sandbox.readFile('/tmp/bytes', 100)).toEqual(Buffer.from([0x61, 0, 0xff, 0x62]));
  expect(await sandbox.readFile('/tmp/bytes', 2)).toEqual(Buffer.from([0x61, 0]));
  expect((await sandbox.readFile('/tmp/link', 4))?.toString()).toBe('root');
  for (const path of ['/tmp/none', '/tmp', '/tmp/fifo', '/dev/zero', '/tmp/shut', '-n', '']) {
    expect(await sandbox.readFile(path, 10)).toBeUndefined();
  }
});

test('what a set-up container has written is kept as an image that later containers start from', async () => {
  const setUp = await start('set-up', { writableRoot: true, workdir: '/' });
  await run(setUp, 'mkdir /opt/tool && echo ready > /opt/tool/state; echo gone > /tmp/state', { root: true });
  await setUp.saveAs(SAVED);
  const later = await start('later', { image: SAVED });
  expect((await run(later, 'cat /opt/tool/state; ls /tmp; touch /opt/x')).output).toMatch(/^ready\ntouch: .*Read-only/);
  const digests = [await host.imageDigest(SAVED), await host.imageDigest(SANDBOX_IMAGE)];
  expect(digests[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(digests[0]).not.toBe(digests[1]);
  const image = await engine.getImage(SAVED).inspect();
  expect(image.Config).toMatchObject({ Cmd: ['bash'], Labels: { 'fathom.run': '' } });
});

test('two containers do not see each other’s processes or files', async () => {
  const [one, two] = [await start('one'), await start('two')];
  await run(one, 'echo secret > /tmp/secret');
  expect((await run(two, 'ls /tmp; ps -eo args --no-headers | grep -c "^sleep"')).output).toBe('1\n');
});

test('a container without bash is told as unfit, not as a command that failed', async () => {
  const sandbox = await start('no-bash', { writableRoot: true, workdir: '/' });
  // Where an engine isolates nothing (one inside a chroot, say), the host's own shell must survive this test.
  await run(sandbox, `[ -e '${import.meta.filename}' ] || rm -f /bin/bash /usr/bin/bash`, { root: true });
  await expect(run(sandbox, 'true')).rejects.toMatchObject({
    code: 'sandbox',
    lost: false,
    remedy: expect.stringContaining('bash'),
  });
});

test('the engine is described with its version, its image and what is weak about it', async () => {
  const report = await host.inspect(SANDBOX_IMAGE);
  expect(report).toMatchObject({ reachable: true, version: expect.any(String), seccomp: true });
  expect(report.image).toMatchObject({ present: true, digest: await host.imageDigest(SANDBOX_IMAGE) });
  for (const problem of report.problems) expect(problem.remedy).not.toBe('');
  const other = await host.inspect('fathom-no-such-image:none');
  expect(other.image?.present).toBe(false);
  expect(other.problems).toContainEqual(expect.objectContaining({ fatal: true }));
});
