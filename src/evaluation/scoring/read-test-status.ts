export type TestStatus = 'passed' | 'failed' | 'skipped';

type Reader = (line: string) => [name: string, status: TestStatus] | undefined;

const WORDS: Record<string, TestStatus> = {
  ok: 'passed',
  FAIL: 'failed',
  FAILED: 'failed',
  ERROR: 'failed',
  F: 'failed',
  E: 'failed',
  f: 'skipped',
  X: 'skipped',
  s: 'skipped',
};

const PYTEST: Record<string, TestStatus> = {
  PASSED: 'passed',
  XPASS: 'passed',
  FAILED: 'failed',
  ERROR: 'failed',
  XFAIL: 'skipped',
};

/** `pytest -rA`: "PASSED tests/a.py::test_x". Names end at the first blank, as in SWE-bench's lists. */
const pytest: Reader = (line) => {
  const [word = '', name = ''] = line.split(' ', 2);
  const status = PYTEST[word];
  return status && name !== '' ? [name, status] : undefined;
};

/** unittest and Django, verbose: "test_x (a.b.C) ... ok"; cargo: "test a::b ... ok". */
const dotted: Reader = (line) => {
  const at = line.lastIndexOf(' ... ');
  if (at < 0) return undefined;
  const word = line.slice(at + 5).trim();
  const status = word.startsWith('skipped') || word === 'ignored' ? 'skipped' : WORDS[word.split(' ', 1)[0] ?? ''];
  const name = line
    .slice(0, at)
    .replace(/^test (?=\S+$)/, '')
    .trim();
  return status && name !== '' ? [name, status] : undefined;
};

/** SymPy's own runner: "test_x ok". */
const sympy: Reader = (line) => {
  const [name, word, ...rest] = line.trim().split(/\s+/);
  if (!name?.startsWith('test_') || word === undefined || rest.length > 1) return undefined;
  const status = WORDS[word];
  return status ? [name, status] : undefined;
};

/** `go test -v`: "--- PASS: TestX (0.00s)". */
const go: Reader = (line) => {
  const match = /^--- (PASS|FAIL|SKIP): (\S+)/.exec(line.trim());
  if (!match) return undefined;
  return [match[2] as string, { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' }[match[1] as string] as TestStatus];
};

const READERS = [pytest, dotted, sympy, go];

/**
 * What became of each test, by the name that its framework prints. A test that is printed twice has failed if it failed
 * once: a second line can be printed by the test itself.
 */
export function readTestStatus(output: string): Map<string, TestStatus> {
  const found = new Map<string, TestStatus>();
  for (const line of output.split('\n')) {
    const read = READERS.map((reader) => reader(line.trimEnd())).find((one) => one !== undefined);
    if (!read || found.get(read[0]) === 'failed') continue;
    found.set(...read);
  }
  return found;
}
