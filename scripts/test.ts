import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FathomError } from '../src/domain/errors.ts';
import { provideEngine } from './provide/provide-engine.ts';
import { providePostgres } from './provide/provide-postgres.ts';
import { provideSandboxImage } from './provide/provide-sandbox-image.ts';
import { passes } from './testing/run-step.ts';
import { addCounts, countsLine, NO_TESTS, type TestCounts } from './testing/test-counts.ts';
import { listedTests, runProject } from './testing/vitest-project.ts';

/**
 * `npm test`: the checks, the tests that need nothing, and the tests that need a Docker Engine, which it provides where
 * it may. The last line says how many passed, failed and were skipped; the exit code is 0 only when nothing failed.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
process.env['PATH'] = [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);

const failures: string[] = [];
const noEngine = await engineProblem();
if (!(await providePostgres()) && process.env['CI']) failures.push('no PostgreSQL');
for (const check of [['biome', 'check', '.'], ['tsc', '--noEmit'], ['knip'], ['node', 'scripts/audit.ts']])
  await runCheck(check);
const unit = await runTests('unit');
const engine = noEngine === undefined ? await runTests('engine') : await skipEngineTests(noEngine);
if (failures.length > 0) console.log(`failed: ${failures.join(', ')}`);
console.log(countsLine(addCounts(unit, engine)));
process.exitCode = failures.length > 0 ? 1 : 0;

async function engineProblem(): Promise<string | undefined> {
  try {
    await provideEngine();
    await provideSandboxImage();
    return undefined;
  } catch (error) {
    if (error instanceof FathomError) return `${error.message}\n${error.remedy}`;
    throw error;
  }
}

async function runCheck([file = '', ...args]: string[]): Promise<void> {
  console.log(`\n> ${[file, ...args].join(' ')}`);
  if (!(await passes(file, args, root))) failures.push(file);
}

async function runTests(project: string): Promise<TestCounts> {
  console.log(`\n> vitest run --project ${project}`);
  const { counts, passed } = await runProject(project, root);
  if (!passed) failures.push(`${project} tests`);
  return counts;
}

/** Loud, and on CI a failure: there a green run has to mean that everything ran. */
async function skipEngineTests(problem: string): Promise<TestCounts> {
  const skipped = await listedTests('engine', root);
  console.log(`\n!!! ${skipped} tests that need a Docker Engine did NOT run: ${problem}`);
  if (process.env['CI']) failures.push('no Docker Engine');
  return { ...NO_TESTS, skipped };
}
