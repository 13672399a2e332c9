import { describe, expect, it } from 'vitest';
import type { SandboxHost, SandboxSpec } from '#src/domain/ports/index.ts';
import { COMMIT, repository } from '../git/repositories.ts';
import { carefulModel, toldTo } from './careful-model.ts';
import { containersInMemory, diagnosing } from './run-fixture.ts';

const LEDGER = `mkdir -p src/ledger; echo 'def total(x): return abs(x)' > src/ledger/__init__.py; touch pytest.ini${COMMIT}`;
const SANDBOX = 'fathom-sandbox:bookworm';
const NOTE = 'The Answerers worked without the dependencies that the repository’s own set-up installs';

interface Engine {
  /** Names of images that the engine has beside the sandbox image. */
  has: (image: string) => boolean;
  setup?: string;
  image?: string;
  questions?: number;
  files?: string;
}

async function diagnosed({ has, setup, image, questions = 1, files = LEDGER }: Engine) {
  const started: SandboxSpec[] = [];
  const asked: string[] = [];
  const used: string[] = [];
  const sandboxes: SandboxHost = {
    ...containersInMemory(
      () => '',
      (spec) => started.push(spec),
    ),
    imageDigest: async (name) => {
      asked.push(name);
      return name === SANDBOX || has(name) ? `digest of ${name}` : undefined;
    },
    markUsed: async (name) => void used.push(name),
  };
  const tests = { timeoutSeconds: 60, ...(setup ? { setup } : {}), ...(image ? { image } : {}) };
  const model = carefulModel();
  const run = await diagnosing(repository(files), model, {
    sandboxes,
    settings: { questions, findings: false, tests },
  });
  expect(run.end).toEqual({ kind: 'diagnosed' });
  const notes = run.diagnosis?.notes.filter((note) => note.startsWith(NOTE)) ?? [];
  return { ...run, notes, started, asked, used, told: toldTo(model, 'answerer') };
}

describe('a diagnosis alone', () => {
  it('works in the image that an earlier set-up left, and keeps it from being pruned', async () => {
    const { started, used, told, notes } = await diagnosed({ has: () => true, setup: 'make deps' });
    const [image] = started.map((spec) => spec.image);
    expect(image).toMatch(/^fathom-environment:[0-9a-f]{32}$/);
    expect(started.map((spec) => spec.purpose)).toEqual(['answerer-Q1']);
    expect(used).toEqual([image]);
    expect(told).toContain('`make deps` was run; its dependencies are installed.');
    expect(notes).toEqual([]);
  });

  it('sets nothing up where there is no such image, and says so to the Answerer and to the reader', async () => {
    const { started, told, notes, markdown } = await diagnosed({
      has: (name) => !name.startsWith('fathom-environment'),
      setup: 'make deps',
    });
    expect(started).toHaveLength(1);
    expect(started[0]).toMatchObject({ image: SANDBOX, network: 'none' });
    expect(told).toContain("the repository's own set-up was not run");
    expect(notes).toEqual([`${NOTE}: a diagnosis alone runs none, and none is kept from an earlier repair.`]);
    expect(markdown).toContain(NOTE);
  });

  it('says nothing of it where the repository has no set-up', async () => {
    const { notes } = await diagnosed({ has: () => false, files: `echo 'total = 1' > a.py${COMMIT}` });
    expect(notes).toEqual([]);
  });

  it('tells an Answerer that nothing is missing where the repository names nothing to install', async () => {
    const manifest = (text: string) => `echo '${text}' > package.json; echo 'export const total = 1' > a.js${COMMIT}`;
    const none = await diagnosed({ has: () => false, files: manifest('{"scripts": {"test": "node --test"}}') });
    expect(none.told).toContain('Set-up: none is needed; the repository names nothing to install.');
    expect(none.told).not.toMatch(/none was found|may be missing/);
    const unknown = await diagnosed({ has: () => false, files: `echo 'total: 1' > a.yml${COMMIT}` });
    expect(unknown.told).toContain('Set-up: none was found in the repository');
  });

  it('finds the code of a src layout in whichever image it works', async () => {
    const { started } = await diagnosed({ has: () => false });
    expect(started[0]?.env).toMatchObject({ PYTHONPATH: '/repo/src' });
  });

  it('takes the image that the repository asks for only where the engine has it', async () => {
    const image = 'registry.example.org/ledger:3';
    const here = await diagnosed({ has: (name) => name === image, image });
    expect(here.started[0]?.image).toBe(image);
    const elsewhere = await diagnosed({ has: () => false, image });
    expect(elsewhere.started[0]?.image).toBe(SANDBOX);
  });

  it('of findings alone asks no engine for anything', async () => {
    const { started, asked } = await diagnosed({ has: () => true, setup: 'make deps', questions: 0 });
    expect(started).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('goes on in the plain image when the engine cannot say what it has', async () => {
    const { started } = await diagnosed({
      has: () => {
        throw new Error('no answer');
      },
      setup: 'make deps',
    });
    expect(started[0]?.image).toBe(SANDBOX);
  });
});
