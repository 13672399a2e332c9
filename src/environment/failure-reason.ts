import type { TestCounts } from '../domain/proof.ts';
import { ABSENT, missingName } from './missing-name.ts';
import { outputLines } from './output-lines.ts';
import { readResults } from './results/read-results.ts';

/**
 * Why a test run failed. `assertion`: something was compared and differed. `error`: a test ran and met an error. `absent`:
 * a test used a name that is not there, which says nothing about what is wrong with those that are. `broken`: nothing was
 * tested, since a file could not be loaded or compiled, or no test was found. `no-runner`: the command itself is missing.
 * `unknown`: the output does not say. The last four prove nothing.
 */
export type FailureReason = 'assertion' | 'error' | 'absent' | 'broken' | 'no-runner' | 'unknown';

/**
 * `line` is the one that tells; `reported` is true where the issue quotes it; `ownWords` where no runner is known and the
 * test's own message tells it.
 */
export interface Failure {
  reason: FailureReason;
  line?: string;
  reported: boolean;
  ownWords?: true;
}

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
  /^(?:\/bin\/)?(?:ba|da)?sh: .*(?:command not found|not found|No such file or directory|Permission denied)$/;
/** Errors by which a program cannot be loaded, at the start of the line in which languages print them. */
const LOADING =
  /^(?:(?:E|#)\s+)?(?:Uncaught )?(?:Error \[ERR_MODULE_NOT_FOUND\]|Error: Cannot find module|(?:Import|ModuleNotFound|Syntax|Indentation|Tab|Name|Reference|Load)Error\b).*$/;
const ASSERTION =
  /\bAssertion(?:Failed)?Error\b|^E\s+assert\b|ERR_ASSERTION|\b[Aa]ssertion .{0,120}failed\b|^\s*Difference \(- actual|^\s*\+\+\+ actual$|^\s*operator: \w+$|^\s+\w+_test\.go:\d+: |^\s*Expected\b|\bexpected:|^\s*Failure[/:]|Failed asserting/;

/** The line in which languages name an error that nobody caught. */
const ERROR =
  /^(?:(?:E|#)\s+)?(?:Uncaught |panic: )?(?:[A-Za-z_][\w.]{0,80}(?:Error|Exception)\b|panic: |runtime error: ).*$/;
/** What shells answer to a command that is not there, or that may not be run. */
const NO_COMMAND = [126, 127];
const NO_RUNNER =
  /^(?:\/bin\/)?(?:ba|da)?sh: .*(?:command not found|not found|Permission denied)$|: No module named (?:pytest|unittest|nose2?)$|^npm (?:error|ERR!) code (?:ENOTCACHED|E404|EAI_AGAIN|ENOTFOUND)$/;

/** The reason alone. */
export const failureReason = (output: string, reported = '', exitCode: number | null = 1): FailureReason =>
  explainFailure(output, reported, exitCode).reason;

/**
 * Reads the reason from a failed run's output. `reported` is the text: an error that it quotes is what the issue
 * is about, wherever it happens, and not a fault of the test. `brings` knows the names that only the change defines.
 */
export function explainFailure(
  output: string,
  reported = '',
  exitCode: number | null = 1,
  brings: (name: string) => boolean = () => false,
): Failure {
  const lines = outputLines(output);
  const { counts, failing } = readResults(output);
  const find = (pattern: RegExp) => lines.map((line) => line.trim()).filter((line) => pattern.test(line));
  const runner = find(NO_RUNNER).at(-1);
  const ranNothing = counts === undefined || counts.passed + counts.failed === 0;
  if (ranNothing && (NO_COMMAND.includes(exitCode ?? 0) || runner !== undefined)) {
    return failure('no-runner', runner ?? lines.findLast((line) => line.trim() !== ''));
  }
  const errors = find(ERROR);
  const quoted = [...find(LOADING), ...find(ABSENT), ...errors].find((line) => isQuoted(line, reported));
  if (quoted === undefined && isBroken(lines, counts)) return failure('broken', notLoadedLine(lines));
  const asserted = lines.findLast((line) => ASSERTION.test(line));
  if (asserted !== undefined) return failure('assertion', asserted, quoted !== undefined);
  if (quoted !== undefined) return failure('error', quoted, true);
  const failed = (counts?.failed ?? 0) + failing.length > 0 || lines.some(isTraceback);
  const error = errors.at(-1);
  return (
    proofOfNothing(find, brings) ??
    (failed ? failure('error', error, isNamed(error, reported)) : failure('unknown', undefined))
  );
}

function proofOfNothing(find: (pattern: RegExp) => string[], brings: (name: string) => boolean): Failure | undefined {
  const loading = find(LOADING).at(-1);
  if (loading !== undefined) return failure('broken', loading);
  const isBrought = (line: string): boolean => {
    const name = missingName(line);
    return name !== undefined && brings(name);
  };
  const absent = find(ABSENT).at(-1) ?? find(ERROR).findLast(isBrought);
  return absent === undefined ? undefined : failure('absent', absent);
}

const failure = (reason: FailureReason, line: string | undefined, reported = false): Failure => ({
  reason,
  reported,
  ...(line === undefined
    ? {}
    : {
        line: line
          .trim()
          .replace(/^[E#]\s+/, '')
          .slice(0, 300),
      }),
});

function isBroken(lines: string[], counts: TestCounts | undefined): boolean {
  if (counts !== undefined && counts.passed + counts.failed === 0) return true;
  const words = counts === undefined ? [...NOT_LOADED, ...NOT_STARTED] : NOT_LOADED;
  return lines.some((line) => SHELL.test(line) || words.some((word) => line.includes(word)));
}

const notLoadedLine = (lines: string[]): string | undefined =>
  lines.findLast((line) => LOADING.test(line.trim())) ??
  lines.find((line) => SHELL.test(line) || [...NOT_LOADED, ...NOT_STARTED].some((word) => line.includes(word)));

const isTraceback = (line: string): boolean => line.startsWith('Traceback (most recent call last)');

/** The message without its type has to say something, or every issue would quote it. */
function isQuoted(line: string, reported: string): boolean {
  const error = line.replace(/^[E#]\s+/, '').trim();
  return error.length >= 24 && reported.includes(error);
}

/** The issue speaks of this kind of error. */
function isNamed(line: string | undefined, reported: string): boolean {
  const kind = /\b[A-Z]\w+(?:Error|Exception)\b|\bpanic\b/.exec(line ?? '')?.[0];
  return kind !== undefined && reported.includes(kind);
}
