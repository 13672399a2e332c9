import Docker from 'dockerode';
import { expect, it, onTestFinished } from 'vitest';
import { environmentAtHand, setUp } from '#src/pipeline/set-up.ts';
import { COMMIT, repository } from '../git/repositories.ts';
import { testRun } from './support/run-context.ts';

const SRC = `mkdir -p src/sums tests; echo 'def add(a, b): return a + b' > src/sums/__init__.py; touch pytest.ini${COMMIT}`;

it('a failed set-up is told with its last lines, and the code of a src layout is found all the same', async () => {
  const setup = 'echo one; echo "npm error code SELF_SIGNED_CERT_IN_CHAIN"; exit 3';
  const settings = { tests: { timeoutSeconds: 60, setup } };
  const { context, events } = testRun(repository(SRC), { title: 't', body: 'b' }, { settings });
  const { ports, run, signal } = context;
  const workspace = await ports.workspaces.open(
    { run: run.id, repository: run.repository, protectedPaths: [] },
    signal,
  );
  const environment = await setUp(context, workspace);
  expect(environment).toMatchObject({
    prepared: false,
    test: 'PYTHONPATH=src python3 -m pytest',
    variables: { PYTHONPATH: '/repo/src' },
  });
  const told = JSON.stringify(events);
  expect(told).toContain('SELF_SIGNED_CERT_IN_CHAIN');
  expect(told).toContain('ended with exit code 3.');
  expect(told).toContain('FATHOM_EXTRA_CA');
});

it('a diagnosis finds the image that a repair of the same repository kept, and none before', async () => {
  const setup = `mkdir -p /opt/tool && echo ${process.pid} > /opt/tool/version`;
  const settings = { tests: { timeoutSeconds: 60, setup } };
  const { context } = testRun(repository(SRC), { title: 't', body: 'b' }, { settings });
  const { ports, run, signal } = context;
  const workspace = await ports.workspaces.open(
    { run: run.id, repository: run.repository, protectedPaths: [] },
    signal,
  );
  const before = await environmentAtHand(context, workspace);
  expect(before).toMatchObject({ image: context.settings.sandboxImage, prepared: false, skipped: true });
  const made = await setUp(context, workspace);
  onTestFinished(() => new Docker().getImage(made.image).remove({ force: true }));
  expect(made.prepared).toBe(true);
  const after = await environmentAtHand(context, workspace);
  expect(after).toMatchObject({ image: made.image, prepared: true, variables: { PYTHONPATH: '/repo/src' } });
  const spec = {
    run: run.id,
    purpose: 'look',
    image: after.image,
    mounts: [await workspace.reader()],
    workdir: '/repo',
  };
  const sandbox = await ports.sandboxes.start({ ...spec, network: 'none' }, signal);
  const { output } = await sandbox.exec('cat /opt/tool/version', { seconds: 20 }, signal);
  expect(output.trim()).toBe(String(process.pid));
  await sandbox.remove();
}, 120_000);
