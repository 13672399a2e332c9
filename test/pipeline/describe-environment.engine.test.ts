import { expect, it } from 'vitest';
import { withSandbox } from '#src/pipeline/agent-run.ts';
import { describeEnvironment } from '#src/pipeline/describe-environment.ts';
import { makeEnvironment } from '#src/pipeline/set-up.ts';
import { COMMIT, repository } from '../git/repositories.ts';
import { testRun } from './support/run-context.ts';

const FILES = `mkdir -p dates tests; echo "WHERE = 'checkout'" > dates/__init__.py; touch pytest.ini tests/test_a.py${COMMIT}`;
const INSTALLED = `python3 -c "import site; print(site.getsitepackages()[0])"`;
const NPM = `mkdir -p /opt/npm/bin && echo '{"name": "npm", "version": "10.9.4"}' > /opt/npm/package.json && printf '#!/bin/sh\\nsleep 60\\n' > /opt/npm/bin/npm-cli.js && chmod +x /opt/npm/bin/npm-cli.js && ln -sf /opt/npm/bin/npm-cli.js /usr/local/bin/npm`;

it('the checkout wins over an installed copy of it, npm is named however slow it is, and a cut list says so', async () => {
  const setup = `d=$(${INSTALLED}); mkdir -p "$d/dates" && echo "WHERE = 'installed'" > "$d/dates/__init__.py" && ${NPM}`;
  const settings = { tests: { timeoutSeconds: 60, setup } };
  const { context } = testRun(repository(FILES), { title: 't', body: 'b' }, { settings });
  const { ports, run, signal } = context;
  const request = { run: run.id, repository: run.repository, protectedPaths: [] };
  const workspace = await ports.workspaces.open(request, signal);
  const environment = await makeEnvironment(context, workspace);
  expect(environment).toMatchObject({ prepared: true, variables: { PYTHONPATH: '/repo' } });
  const { mount } = await workspace.writer('look');
  const spec = { purpose: 'look', image: environment.image, mount, variables: environment.variables };
  await withSandbox(context, spec, async (sandbox) => {
    const script = `echo 'import dates; print(dates.WHERE)' > /tmp/look.py && cd /tmp && python3 look.py`;
    expect((await sandbox.exec(script, { seconds: 20 }, signal)).output.trim()).toBe('checkout');
    await sandbox.exec('mkdir -p node_modules && cd node_modules && mkdir $(seq 1 43)', { seconds: 20 }, signal);
    const said = await describeEnvironment(sandbox, environment, signal);
    expect(said).toMatch(/^Programs: .*; npm 10\.9\.4$/m);
    expect(said).toMatch(/^Node packages in \/repo\/node_modules: .* and 3 more$/m);
    const manifest = JSON.stringify({ dependencies: { 7: '1' }, devDependencies: { mocha: '1' } });
    await sandbox.exec(`echo '${manifest}' > package.json`, { seconds: 20 }, signal);
    const declared = await describeEnvironment(sandbox, environment, signal);
    expect(declared).toContain('Node packages of package.json in /repo/node_modules: 7\n');
    expect(declared).toContain('Node packages of package.json that are missing: mocha\n');
  });
}, 120_000);
