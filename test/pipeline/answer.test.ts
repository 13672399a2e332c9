import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { SandboxSpec } from '#src/domain/ports/index.ts';
import { answer } from '#src/pipeline/answer.ts';
import type { Asked, Prepared, PreparedEnvironment } from '#src/pipeline/artefacts.ts';
import { openRepository } from '#src/repository/open-repository.ts';
import { testClock } from '../fakes/test-clock.ts';
import { COMMIT, never, repository } from '../git/repositories.ts';
import { carefulModel, toldTo } from './careful-model.ts';
import { containersInMemory } from './run-fixture.ts';
import { testRun } from './support/run-context.ts';

const asked: Asked = {
  questions: [{ id: 'Q1', category: 'Mechanism & Behavior', text: 'How does `total` treat signs?' }],
  notes: [],
};
const environment: PreparedEnvironment = {
  image: 'fathom-environment:1',
  prepared: true,
  setup: 'pip install .',
  test: 'pytest',
  sources: [],
  variables: { PYTHONPATH: '/repo/src' },
  log: '',
};

let started: SandboxSpec[] = [];
beforeEach(() => {
  started = [];
});

async function answering(setUp: Promise<PreparedEnvironment> | undefined, clock = testClock()) {
  const clone = repository(`echo 'total = 1' > a.py${COMMIT}`);
  const model = carefulModel();
  const sandboxes = containersInMemory(
    () => 'Programs: Python 3.11.2',
    (spec) => started.push(spec),
  );
  const issue = { title: 'It is wrong', body: '' };
  const { context } = testRun(clone, issue, { settings: { findings: false }, ports: { model, sandboxes, clock } });
  const workspace = await context.ports.workspaces.open(
    { run: 'r', repository: context.run.repository, protectedPaths: [] },
    never,
  );
  onTestFinished(() => workspace.dispose());
  const reading = openRepository(workspace.tree);
  onTestFinished(() => reading.close());
  const rendered = { title: issue.title, text: issue.title, hidden: [] };
  const prepared: Prepared = {
    base: workspace.base,
    settings: context.settings,
    issue: rendered,
    suspects: [],
    notes: [],
  };
  const answered = answer(context, prepared, asked, workspace, reading, setUp);
  return { answered, model };
}

describe('an Answerer', () => {
  it('works in the prepared environment, and is told what it holds', async () => {
    const { answered, model } = await answering(Promise.resolve(environment));
    await answered;
    expect(started[0]).toMatchObject({ image: environment.image, network: 'none', env: { PYTHONPATH: '/repo/src' } });
    expect(started[0]?.mounts[0]?.readOnly).toBe(true);
    const told = toldTo(model, 'answerer');
    for (const line of [
      'Programs: Python 3.11.2',
      'Set-up: `pip install .` was run; its dependencies are installed.',
      'Tests are usually run with: `pytest`',
      'Network: none. Nothing can be installed.',
    ]) {
      expect(told).toContain(`\n${line}\n`);
    }
  });

  it('is told that the set-up failed, and with which words', async () => {
    const failed = { ...environment, image: 'plain:1', prepared: false, log: 'ERROR: no matching\ndistribution' };
    const { answered, model } = await answering(Promise.resolve(failed));
    await answered;
    expect(started[0]?.image).toBe('plain:1');
    expect(toldTo(model, 'answerer')).toContain('may be missing. Its last words: ERROR: no matching distribution');
  });

  it('does not wait for a set-up that takes long, and answers without it', async () => {
    const clock = testClock();
    const { answered } = await answering(new Promise(() => undefined), clock);
    while (clock.sleeps.length === 0) await new Promise(setImmediate);
    expect(started).toEqual([]);
    clock.advance(90_000);
    await answered;
    expect(started[0]?.image).toBe('fathom-sandbox:bookworm');
  });

  it('answers in the plain image when the set-up could not be done', async () => {
    const refused: Promise<never> = Promise.reject(new Error('no disk'));
    // As in a run, where its failure is met later.
    refused.catch(() => undefined);
    const { answered } = await answering(refused);
    expect((await answered).pairs[0]?.end).toBe('submitted');
    expect(started[0]?.image).toBe('fathom-sandbox:bookworm');
  });
});
