import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diffBytes, type Resolution } from '#src/domain/patch.ts';
import type { Workspace } from '#src/domain/ports/index.ts';
import type { Proof } from '#src/domain/proof.ts';
import type { PreparedEnvironment } from '#src/pipeline/artefacts.ts';
import { prove } from '#src/pipeline/prove.ts';
import { SANDBOX_IMAGE } from '#src/sandbox/sandbox-image.ts';
import { leapRepository } from '../cli/leap-repository.ts';
import { testRun } from './support/run-context.ts';

const signal = new AbortController().signal;
const TEST = 'python3 -m unittest tests.test_century';
const test = (body: string) => `import unittest
from dates.calendar import is_leap


class Century(unittest.TestCase):
    def test_1900(self):
        ${body}
`;
const RIGHT = 'def is_leap(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n\n\n';
const REST = 'def days_in_year(year):\n    return 366 if is_leap(year) else 365\n';

interface Proven {
  proof: Proof;
  resolution: Resolution;
  repo: string;
  workspace: Workspace;
}

/** Proves a change that writes `files` into the leap repository. */
async function proofOf(files: Record<string, string>, suite?: string, seconds = 60): Promise<Proven> {
  const { repo } = leapRepository();
  const settings = { tests: { timeoutSeconds: seconds } };
  const { context } = testRun(repo, { title: '1900', body: '1900 was no leap year.' }, { settings });
  const { ports, run } = context;
  const workspace = await ports.workspaces.open(
    { run: run.id, repository: run.repository, protectedPaths: [] },
    signal,
  );
  const copy = await workspace.writer('resolver');
  for (const [path, text] of Object.entries(files)) writeFileSync(join(copy.mount.source, path), text);
  const patch = await copy.takePatch(signal);
  const report = { summary: 's', regressionTest: TEST };
  const resolution: Resolution = { patch, report, end: 'submitted', recovered: false };
  const environment: PreparedEnvironment = {
    image: SANDBOX_IMAGE,
    prepared: true,
    sources: [],
    log: '',
    ...(suite === undefined ? {} : { test: suite }),
  };
  const issue = { title: '1900', text: '1900 was no leap year.', hidden: [] };
  const prepared = { base: workspace.base, settings: context.settings, issue, suspects: [], notes: [] };
  const proof = await prove(context, prepared, resolution, environment, workspace);
  return { proof, resolution, repo, workspace };
}

const century = (body: string) => ({ 'tests/test_century.py': test(body) });

describe('a proof', () => {
  it('can be repeated with one command from a clone and the patch', async () => {
    const files = { 'dates/calendar.py': RIGHT + REST, ...century('self.assertFalse(is_leap(1900))') };
    const { proof, resolution, repo } = await proofOf(files, 'python3 -m unittest discover');
    expect(proof).toMatchObject({ verdict: 'proven', difference: { broken: [], flaky: [] } });
    expect(proof.image).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(proof.runs.map((run) => [run.what, run.on, run.exitCode, run.again])).toEqual([
      ['regression', 'base', 1, [1]],
      ['regression', 'base+patch', 0, [0]],
      ['suite', 'base', 0, undefined],
      ['suite', 'base+patch', 0, undefined],
    ]);
    writeFileSync(join(repo, 'fathom.patch'), diffBytes(resolution.patch));
    const env = { ...process.env, IMAGE: SANDBOX_IMAGE };
    const printed = execFileSync('bash', ['-c', proof.repeat ?? 'exit 9'], {
      cwd: repo,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(printed.split('\n').filter((line) => line.includes('exit code'))).toEqual([
      '== suite on base: exit code 0',
      '== regression test on base: exit code 1',
      '== regression test with the change: exit code 0',
      '== suite with the change: exit code 0',
    ]);
  });

  it('is none where the test fails for another reason than the issue', async () => {
    const fixed = { 'dates/calendar.py': `${RIGHT}${REST}def is_century(year):\n    return year % 100 == 0\n` };
    const absent = 'import dates.calendar; self.assertTrue(dates.calendar.is_century(1900))';
    expect((await proofOf({ ...fixed, ...century(absent) })).proof.verdict).toBe('not-reproduced');
    const missing = 'from dates.calendar import is_century; self.assertTrue(is_century(1900))';
    expect((await proofOf({ ...fixed, ...century(missing) })).proof.verdict).toBe('not-reproduced');
    const member = {
      'dates/calendar.py': `${RIGHT}${REST}def century(year):\n    return 1\n\n\nis_leap.century = century\n`,
    };
    const { proof } = await proofOf({ ...member, ...century('self.assertTrue(is_leap.century(1900))') });
    expect(proof).toMatchObject({
      verdict: 'not-reproduced',
      reason: expect.stringContaining("no attribute 'century'"),
    });
  });

  it('names a suite that has no runner here, and loses no time on it', async () => {
    const files = { 'dates/calendar.py': RIGHT + REST, ...century('self.assertFalse(is_leap(1900))') };
    const { proof } = await proofOf(files, 'npx tap');
    expect(proof.verdict).toBe('proven');
    expect(proof.runs.filter((run) => run.what === 'suite')).toHaveLength(1);
    expect(proof.runs.at(-1)?.seconds).toBeLessThan(40);
    expect(proof.doesNotShow.join(' ')).toContain('could not be run here');
  });

  it('runs a test again that fails only with the change, and blames it when it fails each time', async () => {
    const broken = `${RIGHT}def days_in_year(year):\n    return 300\n`;
    const files = { 'dates/calendar.py': broken, ...century('self.assertFalse(is_leap(1900))') };
    const { proof } = await proofOf(files, 'python3 -m unittest discover');
    expect(proof.verdict).toBe('suite-worse');
    expect(proof.difference?.broken).toContain('test_common (tests.test_calendar.DaysInYear.test_common)');
  });

  it('does not believe a change that ends the suite early with a summary of its own', async () => {
    const liar = `import os, sys\n${RIGHT}${REST}if 'discover' in sys.argv:\n    print('99 passed in 0.01s', flush=True); os._exit(0)\n`;
    const files = { 'dates/calendar.py': liar, ...century('self.assertFalse(is_leap(1900))') };
    const { proof } = await proofOf(files, 'python3 -m unittest discover');
    expect(proof).toMatchObject({ verdict: 'suite-worse' });
  });

  it('finds a failing test in the middle of a long output', async () => {
    const files = { 'dates/calendar.py': RIGHT + REST, ...century('self.assertFalse(is_leap(1900))') };
    const noise = 'seq 100000';
    const suite = `${noise}; printf 'TAP version 13\\nok 1\\nnot ok 2 - known\\n1..2\\n'; ${noise}; false`;
    const { proof } = await proofOf(files, suite);
    expect(proof.runs.at(-1)?.failing).toEqual(['known']);
    expect(proof).toMatchObject({ verdict: 'proven', difference: { broken: [], known: ['known'] } });
  });

  it('says that a command did not end in time', async () => {
    const files = { 'dates/calendar.py': RIGHT + REST, ...century('self.assertFalse(is_leap(1900))') };
    const { proof } = await proofOf(files, 'sleep 60', 4);
    expect(proof.verdict).toBe('proven');
    expect(proof.doesNotShow.join(' ')).toContain('did not end in time');
  });
});
