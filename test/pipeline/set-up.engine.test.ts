import { expect, it } from 'vitest';
import { setUp } from '#src/pipeline/set-up.ts';
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
