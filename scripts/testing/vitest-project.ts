import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passes } from './run-step.ts';
import { countsOf, NO_TESTS, type TestCounts } from './test-counts.ts';

/** Runs one of vitest's projects on this terminal, and counts its tests. */
export function runProject(project: string, root: string): Promise<{ counts: TestCounts; passed: boolean }> {
  return withTemporaryFile(async (file) => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const passed = await passes('vitest', ['run', '--project', project, '--passWithNoTests', ...reporters], root);
    const report = await readFile(file, 'utf8').catch(() => undefined);
    return { passed, counts: report === undefined ? NO_TESTS : countsOf(JSON.parse(report)) };
  });
}

/** How many tests a project has, without running them. */
export function listedTests(project: string, root: string): Promise<number> {
  return withTemporaryFile(async (file) => {
    await passes('vitest', ['list', '--project', project, `--json=${file}`], root);
    return JSON.parse(await readFile(file, 'utf8').catch(() => '[]')).length;
  });
}

async function withTemporaryFile<T>(work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'test-report-'));
  try {
    return await work(join(folder, 'report.json'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
