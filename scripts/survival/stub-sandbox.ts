import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExecResult, Sandbox, SandboxHost, SandboxSpec } from '../../src/domain/ports/sandbox-host.ts';

/** Containers that are only counted. */
export interface StubSandboxes extends SandboxHost {
  open(): number;
}

/**
 * Stands in for the engine where a process is to be watched over many runs: commands of the scripted developer have the
 * effect on the mounted files that they would have in a container, and the tests of its repository the same outcome.
 */
export function createStubSandboxes(): StubSandboxes {
  const open = new Map<string, string>();
  const counter = { started: 0 };
  return {
    open: () => open.size,
    start: async (spec) => {
      counter.started += 1;
      const id = `stub-${counter.started}`;
      open.set(id, spec.run);
      return stubSandbox(id, spec, () => open.delete(id));
    },
    inspect: async () => ({ reachable: true, address: 'stub', problems: [] }),
    imageDigest: async () => `sha256:${'0'.repeat(64)}`,
    sweep: async (run) => {
      const swept = [...open].filter(([, of]) => run === undefined || of === run);
      for (const [id] of swept) open.delete(id);
      return swept.length;
    },
  };
}

function stubSandbox(id: string, spec: SandboxSpec, remove: () => void): Sandbox {
  const folder = spec.mounts.find(({ target }) => target === spec.workdir)?.source ?? '';
  return {
    id,
    exec: async (command) => outcome(folder, command),
    readFile: async () => undefined,
    saveAs: async () => undefined,
    remove: async () => remove(),
  };
}

const RULE = 'return year % 4 == 0';
const REPAIRED = `${RULE} and (year % 100 != 0 or year % 400 == 0)`;
const CODE = 'dates/calendar.py';
const TEST = 'tests/test_century.py';
const test = `import unittest

from dates.calendar import days_in_year


class Century(unittest.TestCase):
    def test_1900(self):
        self.assertEqual(days_in_year(1900), 365)
`;

function outcome(folder: string, command: string): ExecResult {
  if (command.includes("python3 - <<'PY'")) {
    writeFileSync(join(folder, CODE), textOf(folder, CODE).replace(RULE, REPAIRED));
    mkdirSync(dirname(join(folder, TEST)), { recursive: true });
    writeFileSync(join(folder, TEST), test);
    return ended(0, '');
  }
  if (!command.includes('unittest') && !command.includes('pytest')) return ended(0, `${RULE}\n`);
  const fails = textOf(folder, TEST) !== '' && !textOf(folder, CODE).includes(REPAIRED);
  return fails ? ended(1, failing) : ended(0, 'Ran 3 tests in 0.001s\n\nOK\n');
}

const failing = `FAIL: test_1900 (tests.test_century.Century.test_1900)
----------------------------------------------------------------------
AssertionError: 366 != 365

----------------------------------------------------------------------
Ran 3 tests in 0.001s

FAILED (failures=1)
`;

function textOf(folder: string, path: string): string {
  try {
    return readFileSync(join(folder, path), 'utf8');
  } catch {
    return '';
  }
}

const ended = (exitCode: number, output: string): ExecResult => ({
  exitCode,
  ending: 'exited',
  output,
  totalBytes: output.length,
  elidedLines: 0,
  undecodableBytes: 0,
  leftRunning: [],
  seconds: 0.001,
});
