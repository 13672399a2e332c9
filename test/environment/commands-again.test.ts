import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BARE_PACKAGES, repeatCommand } from '../../src/environment/repeat-command.ts';
import { rerunCommand } from '../../src/environment/rerun-command.ts';

describe('the command that runs some tests of a suite again', () => {
  it.each([
    [
      'python3 -m pytest',
      'pytest',
      ['tests/test_a.py::test_b[x y]'],
      "python3 -m pytest 'tests/test_a.py::test_b[x y]'",
    ],
    ['PYTHONPATH=src python3 -m pytest', 'pytest', ['t.py::a'], 'PYTHONPATH=src python3 -m pytest t.py::a'],
    ['python3 -m unittest discover', 'unittest', ['test_a (tests.t.T.test_a)'], 'python3 -m unittest tests.t.T.test_a'],
    ['go test ./...', 'go', ['TestA/sub', 'TestB'], "go test -count=1 -run '^(TestA|TestB)$' ./..."],
    ['bundle exec rspec', 'rspec', ['./spec/a_spec.rb:8'], 'bundle exec rspec ./spec/a_spec.rb:8'],
  ])('%s', (command, framework, tests, expected) => {
    expect(rerunCommand(command, framework, tests)).toBe(expected);
  });

  it.each([
    ['make test', 'pytest', ['t.py::a']],
    ['python3 -m pytest | tee log', 'pytest', ['t.py::a']],
    ['python3 -m unittest discover', 'unittest', ['setUpClass (tests.t.T)x']],
    ['npm test', 'jest', ['a']],
    ['python3 -m pytest', 'pytest', Array.from({ length: 31 }, (_, n) => `t.py::a${n}`)],
    ['python3 -m pytest', 'pytest', []],
  ])('is the whole suite where it cannot be told which: %s', (command, framework, tests) => {
    expect(rerunCommand(command, framework, tests)).toBeUndefined();
  });
});

describe('the command that repeats a proof', () => {
  const repetition = {
    base: 'a'.repeat(40),
    image: undefined,
    setup: 'npm ci',
    regression: "node --test 'it'\\''s.test.js'\nFATHOM\necho more",
    suite: 'npm test',
    testFiles: ['test/[a]*.js'],
    variables: { PYTHONPATH: '/repo/src' },
  };

  it('installs in a bare Debian what the sandbox image has', () => {
    const list = readFileSync(join(import.meta.dirname, '../../scripts/sandbox-image/packages.txt'), 'utf8');
    expect(BARE_PACKAGES.split(' ')).toEqual(list.trim().split('\n'));
    expect(repeatCommand(repetition)).toContain('debian:bookworm-slim');
    expect(repeatCommand({ ...repetition, image: 'node:24' })).toMatch(/ "\$.IMAGE:-node:24." 7200/);
  });

  it('is one script for the shell, whatever the commands hold', () => {
    const command = repeatCommand(repetition);
    const scripts = command.split(/^docker exec .*<<'FATHOM_'$|^FATHOM_$/m);
    expect(scripts).toHaveLength(5);
    for (const script of [command, scripts[1], scripts[3]]) {
      expect(() => execFileSync('bash', ['-n'], { input: script, stdio: 'pipe' })).not.toThrow();
    }
    expect(scripts[1]).toContain('npm ci');
    expect(scripts[3]).toContain('echo more');
    expect(command).toContain("--include='test/\\[a]\\*.js'");
  });
});
