import Docker from 'dockerode';
import { afterAll, expect, test } from 'vitest';
import { createDockerHost } from '#src/sandbox/create-docker-host.ts';
import { SANDBOX_IMAGE } from '#src/sandbox/sandbox-image.ts';

const host = createDockerHost({});
const NAME = 'fathom-kept-images-test';
const run = 'kept-images-test';
const signal = new AbortController().signal;

afterAll(async () => {
  await host.sweep(run);
  await host.pruneImages?.(NAME, { bytes: 0, idleSeconds: 0 });
});

async function keep(tag: string): Promise<void> {
  const spec = { run, purpose: tag, image: SANDBOX_IMAGE, mounts: [], workdir: '/', network: 'none' as const };
  const sandbox = await host.start({ ...spec, writableRoot: true }, signal);
  await sandbox.exec(`head -c 10000000 /dev/urandom >/usr/${tag}`, { seconds: 30, root: true }, signal);
  await sandbox.saveAs(`${NAME}:${tag}`);
  await sandbox.remove();
}

const kept = async () => {
  const images = await new Docker().listImages({ filters: { reference: [NAME] } });
  return images.flatMap((image) => image.RepoTags ?? []).sort();
};

test('prepared images stay within their room, and those used last stay longest', async () => {
  for (const tag of ['one', 'two', 'three']) await keep(tag);
  await host.markUsed?.(`${NAME}:one`);
  expect(await host.pruneImages?.(NAME, { bytes: 1, idleSeconds: 3600 })).toBe(0);
  expect(await host.pruneImages?.(NAME, { bytes: 25_000_000, idleSeconds: 0 })).toBe(1);
  expect(await kept()).toEqual([`${NAME}:one`, `${NAME}:three`]);
  expect(await host.pruneImages?.(NAME, { bytes: 15_000_000, idleSeconds: 0 })).toBe(1);
  expect(await kept()).toEqual([`${NAME}:one`]);
});

test('containers are counted for the Fathom that started them, while they run', async () => {
  const [ours, others] = ['ours', 'others'].map((owner) => createDockerHost({ owner: `${NAME}-${owner}` }));
  const spec = { run, purpose: 'counted', image: SANDBOX_IMAGE, mounts: [], workdir: '/', network: 'none' as const };
  const sandbox = await ours?.start(spec, signal);
  expect([await ours?.running?.(), await others?.running?.()]).toEqual([1, 0]);
  await sandbox?.remove();
  expect(await ours?.running?.()).toBe(0);
});

test('an image that a container uses stays', async () => {
  await keep('used');
  const spec = { run, purpose: 'user', image: `${NAME}:used`, mounts: [], workdir: '/', network: 'none' as const };
  const sandbox = await host.start(spec, signal);
  await host.pruneImages?.(NAME, { bytes: 0, idleSeconds: 0 });
  expect(await kept()).toEqual([`${NAME}:used`]);
  await sandbox.remove();
});
