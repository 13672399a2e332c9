import type { TestCounts } from '../domain/proof.ts';
import { outputLines } from './output-lines.ts';
import { readResults } from './results/read-results.ts';

/**
 * Why a test run failed. `assertion`: something was compared and differed. `error`: a test ran and met an error. `broken`:
 * nothing was tested, since a file could not be loaded or compiled, a command was missing, or no test was found; that
 * proves nothing. `unknown`: the output does not say.
 */
type FailureReason = 'assertion' | 'error' | 'broken' | 'unknown';

/** What test runners print when files could not be loaded or no test was found, whatever else ran. */
const NOT_LOADED = [
  ...[
    'ERROR collecting ',
    'ImportError while loading conftest',
    'ERROR: file or directory not found',
    'ERROR: not found: ',
  ],
  ...['no tests ran', 'collected 0 items', 'unittest.loader._FailedTest', 'Failed to import test module'],
  ...['Test suite failed to run', 'Failed Suites', '[build failed]', '[setup failed]', 'error: could not compile'],
  ...['occurred outside of examples', 'An error occurred while loading', 'No plan found in TAP output'],
];
/** What tools print before any test runs; a test may well print such words itself, so they count only without counts. */
const NOT_STARTED = [
  ...['unrecognized arguments', ': No module named pytest', `can't open file `, `Could not find '`],
  ...['No test files found', 'No test suite found', 'No tests found', 'No tests executed!', 'No tests were executed'],
  ...['no test target', 'no bin target', 'PHP Fatal error', 'COMPILATION ERROR', 'Compilation failed'],
  ...['compileTestJava FAILED', 'compileJava FAILED', 'No rule to make target', 'Missing script'],
];
const SHELL =
  /^(?:\/bin\/)?(?:ba|da)?sh: .*(?:command not found|not found|No such file or directory|Permission denied)$|^npm (?:error|ERR!) code (?:ENOTCACHED|E404|EAI_AGAIN|ENOTFOUND)$/;
/** Errors by which a program cannot be loaded, at the start of the line in which languages print them. */
const LOADING =
  /^(?:(?:E|#)\s+)?(?:Uncaught )?(?:Error \[ERR_MODULE_NOT_FOUND\]|Error: Cannot find module|(?:Import|ModuleNotFound|Syntax|Indentation|Tab|Name|Reference|Load)Error\b).*$/;
const ASSERTION =
  /\bAssertion(?:Failed)?Error\b|^E\s+assert\b|ERR_ASSERTION|\bassertion .{0,80}failed\b|^\s*Expected\b|\bexpected:|^\s*Failure[/:]|Failed asserting/;

/** What shells answer to a command that is not there, or that may not be run. */
const NO_COMMAND = [126, 127];

/**
 * Reads the reason from a failed run's output. `reported` is the text: an error that it quotes is what the issue
 * is about, wherever it happens, and not a fault of the test.
 */
export function failureReason(output: string, reported = '', exitCode: number | null = 1): FailureReason {
  const lines = outputLines(output);
  const { counts, failing } = readResults(output);
  const loading = lines.map((line) => LOADING.exec(line.trim())?.[0]).filter((line) => line !== undefined);
  if (counts === undefined && NO_COMMAND.includes(exitCode ?? 0)) return 'broken';
  const quoted = loading.some((line) => isQuoted(line, reported));
  if (!quoted && isBroken(lines, counts)) return 'broken';
  const asserted = lines.some((line) => ASSERTION.test(line));
  if (asserted) return 'assertion';
  if (!quoted && loading.length > 0) return 'broken';
  const failed = (counts?.failed ?? 0) + failing.length > 0 || quoted || lines.some(isTraceback);
  return failed ? 'error' : 'unknown';
}

function isBroken(lines: string[], counts: TestCounts | undefined): boolean {
  if (counts !== undefined && counts.passed + counts.failed === 0) return true;
  const words = counts === undefined ? [...NOT_LOADED, ...NOT_STARTED] : NOT_LOADED;
  return lines.some((line) => SHELL.test(line) || words.some((word) => line.includes(word)));
}

const isTraceback = (line: string): boolean => line.startsWith('Traceback (most recent call last)');

/** The message without its type has to say something, or every issue would quote it. */
function isQuoted(line: string, reported: string): boolean {
  const error = line.replace(/^[E#]\s+/, '').trim();
  return error.length >= 24 && reported.includes(error);
}
