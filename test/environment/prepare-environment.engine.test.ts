import { chmod, chown, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Mount } from '../../src/domain/ports/sandbox-host.ts';
import { discoverTests } from '../../src/environment/discover-tests.ts';
import { prepareEnvironment } from '../../src/environment/prepare-environment.ts';
import { failureReason, readTestResults } from '../../src/environment/read-test-results.ts';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';

const image = SANDBOX_IMAGE;
const run = 'prepare-environment-test';
const host = createDockerHost({});
const signal = new AbortController().signal;
const images = new Set<string>();
let folder: string;
let mount: Mount;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fathom-environment-'));
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'packages', 'inner'), { recursive: true });
  await writeFile(join(folder, 'requirements.txt'), 'one\n');
  await chown(folder, 65_534, 65_534);
  mount = { kind: 'bind', source: folder, target: '/repo', readOnly: false };
});

afterAll(async () => {
  await host.sweep(run);
  const engine = new Docker();
  for (const name of images) await engine.getImage(name).remove({ force: true });
  await rm(folder, { recursive: true, force: true });
});

async function prepare(setup: string | undefined, inputs: Record<string, string> = {}, timeoutSeconds = 60) {
  const plan = { ...(setup === undefined ? {} : { setup }), inputs };
  const environment = await prepareEnvironment(
    { plan, host, mount, run, repository: run, image, timeoutSeconds },
    signal,
  );
  if (environment.image !== image) images.add(environment.image);
  return environment;
}

async function inImage(name: string, command: string): Promise<string> {
  const sandbox = await host.start(
    { run, purpose: 'look', image: name, mounts: [mount], workdir: '/repo', network: 'none' },
    signal,
  );
  try {
    return (await sandbox.exec(command, { seconds: 20 }, signal)).output.trim();
  } finally {
    await sandbox.remove();
  }
}

it('takes the image as it is where there is nothing to set up', async () => {
  expect(await prepare(undefined)).toEqual({ image, prepared: true, log: '' });
});

it('keeps what a set-up installed, for containers without a network and another user', async () => {
  const { image: made, prepared } = await prepare('cp requirements.txt /usr/local/share/installed && echo installed');
  expect(prepared).toBe(true);
  expect(made).toMatch(/^fathom-environment:[0-9a-f]{32}$/);
  expect(await inImage(made, 'cat /usr/local/share/installed; id -u')).toBe('one\n65534');
});

it('does not run the same set-up twice, and runs it again when a file that it reads has changed', async () => {
  const setup = 'date +%N > /usr/local/share/when';
  const first = await prepare(setup, { 'a.lock': '1' });
  expect((await prepare(setup, { 'a.lock': '1' })).image).toBe(first.image);
  const when = await inImage(first.image, 'cat /usr/local/share/when');
  const second = await prepare(setup, { 'a.lock': '2' });
  expect(second.image).not.toBe(first.image);
  expect(await inImage(second.image, 'cat /usr/local/share/when')).not.toBe(when);
});

it('leaves the checkout alone and nothing of its copy in the image', async () => {
  const { image: made } = await prepare('touch made-here && rm requirements.txt');
  expect(await inImage(made, 'ls')).toBe('packages\nrequirements.txt');
  const bare = await host.start(
    { run, purpose: 'look', image: made, mounts: [], workdir: '/', network: 'none' },
    signal,
  );
  try {
    expect((await bare.exec('ls -A /repo', { seconds: 20 }, signal)).output.trim()).toBe('');
  } finally {
    await bare.remove();
  }
});

it('keeps node_modules where Node still finds them, with links into the checkout', async () => {
  const setup = [
    'mkdir -p node_modules/one node_modules/@scope node_modules/.bin',
    'echo hello > node_modules/one/index.js',
    'ln -s ../packages/inner node_modules/inner',
    'ln -s ../../packages/inner node_modules/@scope/inner',
    'ln -s ../one/index.js node_modules/.bin/one',
  ].join(' && ');
  const { image: made, prepared } = await prepare(setup);
  expect(prepared).toBe(true);
  const look =
    'cat /node_modules/one/index.js /node_modules/.bin/one; readlink -f /node_modules/inner /node_modules/@scope/inner';
  expect(await inImage(made, look)).toBe('hello\nhello\n/repo/packages/inner\n/repo/packages/inner');
});

it('sets up an npm workspace as discovered, so that its own test command passes without a network', async () => {
  const inner = { name: 'inner', version: '1.0.0', main: 'index.js' };
  const outer = {
    name: 'outer',
    workspaces: ['packages/*'],
    scripts: { test: 'node --test' },
    dependencies: { inner: '1.0.0' },
  };
  const test = "require('node:test')('doubles', () => require('node:assert').equal(require('inner')(2), 4));";
  await writeFile(join(folder, 'packages/inner/package.json'), JSON.stringify(inner));
  await writeFile(join(folder, 'packages/inner/index.js'), 'module.exports = (n) => n * 2;');
  await writeFile(join(folder, 'package.json'), JSON.stringify(outer));
  await writeFile(join(folder, 'outer.test.js'), test);
  await chown(join(folder, 'packages/inner/index.js'), 65_534, 65_534);
  const plan = await discoverTests(folder, { timeoutSeconds: 60 });
  expect(plan.test).toBe('npm test');
  const { image: made, prepared, log } = await prepare(plan.setup, plan.inputs);
  expect({ prepared, log }).toMatchObject({ prepared: true });
  const output = await inImage(made, plan.test ?? '');
  expect(readTestResults(output).counts).toEqual({ passed: 1, failed: 0, skipped: 0 });
  const changed = await inImage(made, "echo 'module.exports = (n) => n * 3;' > packages/inner/index.js; npm test");
  expect(failureReason(changed)).toBe('assertion');
});

it('gives the last lines of a set-up that failed, and the image to go on with', async () => {
  const environment = await prepare('for i in $(seq 100); do echo line $i; done; exit 3');
  expect(environment).toMatchObject({ image, prepared: false });
  expect(environment.log).toMatch(/line 100\nThe set-up `.*` ended with exit code 3\.$/);
  expect(environment.log).not.toContain('line 50\n');
});

it('says that a set-up did not end in time', async () => {
  const environment = await prepare('echo begun; sleep 60', {}, 2);
  expect(environment).toMatchObject({ image, prepared: false });
  expect(environment.log).toMatch(/begun[\s\S]*did not end within 2 seconds\.$/);
});

it('says that the image is not there, as a value', async () => {
  const plan = { setup: 'true', inputs: {} };
  const request = { plan, host, mount, run, repository: run, image: 'fathom-no-such-image:none', timeoutSeconds: 20 };
  const environment = await prepareEnvironment(request, signal);
  expect(environment).toMatchObject({ image: 'fathom-no-such-image:none', prepared: false });
  expect(environment.log).toContain('fathom-no-such-image');
});

it('stops when the run is stopped', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 1_500);
  const request = {
    plan: { setup: 'sleep 60', inputs: {} },
    host,
    mount,
    run,
    repository: run,
    image,
    timeoutSeconds: 60,
  };
  await expect(prepareEnvironment(request, stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
});

it('survives a link in the checkout that leads nowhere', async () => {
  await symlink('/nowhere/at/all', join(folder, 'dangling'));
  expect(await prepare('true', { dangling: '' })).toMatchObject({ prepared: true, log: '' });
  await rm(join(folder, 'dangling'));
});
