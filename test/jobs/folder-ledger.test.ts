import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EnvironmentError, InputError } from '../../src/domain/errors.ts';
import { nothingSpent } from '../../src/domain/usage.ts';
import { createFolderLedger } from '../../src/jobs/folder-ledger.ts';
import { createFolderTrajectories } from '../../src/jobs/folder-trajectories.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'fathom-ledger-'));
const Artefact = z.object({ n: z.number() });

describe('the folder of a run', () => {
  it('gives back what a stage left there, and nothing for a stage that has not finished', async () => {
    const ledger = createFolderLedger(folder());
    await ledger.save('r', 'answer/Q1', { n: 1 });
    expect(await ledger.load('r', 'answer/Q1', Artefact)).toEqual({ n: 1 });
    expect(await ledger.load('r', 'answer/Q2', Artefact)).toBeUndefined();
  });

  it('names the file and the remedy when what is kept was damaged', async () => {
    const path = folder();
    writeFileSync(join(path, 'ask.json'), '{"n": "one"}');
    writeFileSync(join(path, 'audit.json'), '{"n": 1');
    const ledger = createFolderLedger(path);
    await expect(ledger.load('r', 'ask', Artefact)).rejects.toBeInstanceOf(InputError);
    await expect(ledger.load('r', 'audit', Artefact)).rejects.toThrow(join(path, 'audit.json'));
  });

  it('adds up what parallel agents spent without losing any', async () => {
    const ledger = createFolderLedger(folder());
    const one = { ...nothingSpent(), usd: 0.5, calls: 1 };
    await Promise.all(Array.from({ length: 20 }, () => ledger.addSpent('r', one)));
    expect(await ledger.spent('r')).toMatchObject({ usd: 10, calls: 20 });
  });

  it('keeps events one a line as they happen', async () => {
    const path = folder();
    const ledger = createFolderLedger(path);
    await ledger.append('r', { at: '2026-01-01T00:00:00Z', type: 'stage-started', stage: 'ask' });
    await ledger.append('r', { at: '2026-01-01T00:00:01Z', type: 'note', text: 'a\nb' });
    const lines = readFileSync(join(path, 'events.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['stage-started', 'note']);
  });

  it('says what to do when the disk refuses', async () => {
    const path = folder();
    writeFileSync(join(path, 'answer'), 'a file where a folder is needed');
    const saving = createFolderLedger(path).save('r', 'answer/Q1', { n: 1 });
    await expect(saving).rejects.toBeInstanceOf(EnvironmentError);
  });
});

describe('transcripts in a folder', () => {
  it('keep the order in which steps happened, and leave out a line that was cut by a crash', async () => {
    const path = folder();
    const store = createFolderTrajectories(path);
    const at = '2026-01-01T00:00:00Z';
    await Promise.all(
      [1, 2, 3].map((step) =>
        store.append('r', 'answerer-Q1', { type: 'recovery', at, step, recovery: 'x', detail: '' }),
      ),
    );
    appendFileSync(join(path, 'answerer-Q1.jsonl'), '{"type":"recov');
    const steps = (await store.read('r', 'answerer-Q1')).map((entry) => ('step' in entry ? entry.step : 0));
    expect(steps).toEqual([1, 2, 3]);
    expect(await store.read('r', 'nobody')).toEqual([]);
  });
});
