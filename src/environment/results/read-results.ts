import { outputLines } from '../output-lines.ts';
import { readAutomake, readCheck, readCtest } from './c.ts';
import { readJest, readMocha, readNode, readVitest } from './javascript.ts';
import { readCargo, readGo, readGradle, readMaven, readMinitest, readPhpunit, readRspec } from './others.ts';
import { readPytest, readUnittest } from './python.ts';
import { readTap } from './tap.ts';
import { readAva, readProve, readTapSummary } from './tap-runners.ts';
import type { ResultReader, TestResults } from './test-results.ts';

/** The more telling a framework's summary is, the earlier it is asked. */
const READERS: ResultReader[] = [
  ...[readPytest, readVitest, readJest, readUnittest, readNode, readMocha],
  ...[readTapSummary, readProve, readAva, readTap, readCtest, readAutomake, readCheck],
  ...[readCargo, readRspec, readMinitest, readPhpunit, readMaven, readGradle, readGo],
];

/**
 * What a test run printed, as counts and names of failing tests; in time linear in the output. Nothing is decided by the
 * exit code, and output of no known framework gives no counts. The output is untrusted: a test can print a summary.
 */
export function readResults(output: string): TestResults {
  const lines = outputLines(output);
  const read = READERS.flatMap((reader) => reader(lines) ?? []);
  return read.find((results) => results.counts !== undefined) ?? read[0] ?? { failing: [] };
}
