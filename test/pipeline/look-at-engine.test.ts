import { expect, it } from 'vitest';
import { SandboxError } from '#src/domain/errors.ts';
import { COMMIT, repository } from '../git/repositories.ts';
import { carefulModel, finding, locating } from './careful-model.ts';
import { containersInMemory, diagnosing } from './run-fixture.ts';

const LEDGER = `mkdir src; echo 'def total(x): return abs(x)' > src/ledger.py${COMMIT}`;
const engine = (imageDigest: (image: string) => Promise<string | undefined>) => ({
  ...containersInMemory(() => ''),
  imageDigest,
});
const away = engine(() => Promise.reject(new SandboxError('no answer', 'Start it.')));
const empty = engine(async () => undefined);

it.each([
  ['no engine', away, 'no answer'],
  ['an engine without the sandbox image', empty, 'the engine does not have the image nope:x'],
])('where there is %s, no model is asked, and the run can go on later', async (_what, sandboxes, message) => {
  const clone = repository(LEDGER);
  const model = carefulModel();
  const settings = { sandboxImage: 'nope:x', findings: false };
  const first = await diagnosing(clone, model, { sandboxes, settings });
  expect(first.end).toMatchObject({ kind: 'failed', code: 'sandbox', message });
  expect(model.requests).toEqual([]);
  const later = await diagnosing(clone, model, { settings, folder: first.folder, sandboxes: engine(async () => 'x') });
  expect(later.end).toEqual({ kind: 'diagnosed' });
});

it('a repository with an image of its own does without the sandbox image', async () => {
  const sandboxes = engine(async (image) => (image === 'python:3' ? 'x' : undefined));
  const settings = { sandboxImage: 'nope:x', findings: false, tests: { timeoutSeconds: 60, image: 'python:3' } };
  expect((await diagnosing(repository(LEDGER), carefulModel(), { sandboxes, settings })).end.kind).toBe('diagnosed');
});

it('a diagnosis that asks no question needs no engine', async () => {
  const model = carefulModel({ locate: () => locating(finding('src/ledger.py', 1, 1)) });
  const run = await diagnosing(repository(LEDGER), model, { sandboxes: away, settings: { questions: 0 } });
  expect(run.end).toEqual({ kind: 'diagnosed' });
});
