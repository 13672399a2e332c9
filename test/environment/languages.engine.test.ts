import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, describe, expect, it } from 'vitest';
import { OFFLINE_VARIABLES } from '../../src/environment/container-variables.ts';
import { discoverTests } from '../../src/environment/discover-tests.ts';
import { prepareEnvironment } from '../../src/environment/prepare-environment.ts';
import { explainFailure, readTestResults } from '../../src/environment/read-test-results.ts';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';

const run = 'languages-test';
const host = createDockerHost({});
const signal = new AbortController().signal;
const images = new Set<string>();
const folders: string[] = [];

afterAll(async () => {
  await host.sweep(run);
  const engine = new Docker();
  for (const name of images) await engine.getImage(name).remove({ force: true });
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function checkout(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fathom-languages-'));
  folders.push(folder);
  await chmod(folder, 0o755);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await chown(folder, 65_534, 65_534);
  return folder;
}

const PYTHON = {
  'requirements.txt': 'simplejson\n',
  'setup.cfg': '[tool:pytest]\n[metadata]\nname = sums\n',
  'src/sums/__init__.py': 'import simplejson\n\n\ndef add(a, b):\n    return simplejson.loads(str(a + b))\n',
  'tests/test_sums.py':
    'from sums import add\n\n\ndef test_same():\n    assert add(1, 1) == 2\n\n\ndef test_differs():\n    assert add(1, 1) == 3\n',
};
const GO = {
  'go.mod': 'module example.org/sums\n\ngo 1.18\n',
  'sums.go': 'package sums\n\nfunc Add(a, b int) int { return a + b }\n',
  'sums_test.go':
    'package sums\n\nimport "testing"\n\nfunc TestSame(t *testing.T) {}\nfunc TestDiffers(t *testing.T) {\n\tif got := Add(1, 1); got != 3 {\n\t\tt.Errorf("got %d, want 3", got)\n\t}\n}\n',
};
const RUBY = {
  Gemfile: "source 'https://rubygems.org'\ngem 'rake'\ngem 'minitest'\n",
  Rakefile: "require 'rake/testtask'\nRake::TestTask.new(:test) { |t| t.pattern = 'test/test_*.rb' }\n",
  'lib/sums.rb': 'def add(a, b) = a + b\n',
  'test/test_sums.rb':
    "require 'minitest/autorun'\nrequire_relative '../lib/sums'\nclass TestSums < Minitest::Test\n  def test_same = assert_equal(2, add(1, 1))\n  def test_differs = assert_equal(3, add(1, 1))\nend\n",
};
const PHP = {
  'composer.json': '{"autoload": {"psr-4": {"Sums\\\\": "src/"}}, "require-dev": {"phpunit/phpunit": "^9"}}',
  'phpunit.xml':
    '<phpunit bootstrap="vendor/autoload.php"><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>',
  'src/Sum.php': '<?php\nnamespace Sums;\nclass Sum { public static function add($a, $b) { return $a + $b; } }\n',
  'tests/SumTest.php':
    '<?php\nuse PHPUnit\\Framework\\TestCase;\nuse Sums\\Sum;\nclass SumTest extends TestCase {\n  public function testSame() { $this->assertSame(2, Sum::add(1, 1)); }\n  public function testDiffers() { $this->assertSame(3, Sum::add(1, 1)); }\n}\n',
};
const C = {
  'CMakeLists.txt':
    'cmake_minimum_required(VERSION 3.16)\nproject(sums C)\nenable_testing()\nadd_executable(same same.c)\nadd_executable(differs differs.c)\nadd_test(NAME same COMMAND same)\nadd_test(NAME differs COMMAND differs)\n',
  'same.c': '#include <assert.h>\nint main(void) { assert(1 + 1 == 2); return 0; }\n',
  'differs.c': '#include <assert.h>\nint main(void) { assert(1 + 1 == 3); return 0; }\n',
};
const AUTOTOOLS = {
  'configure.ac':
    'AC_INIT([sums], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n',
  'Makefile.am': 'check_PROGRAMS = same differs\nTESTS = $(check_PROGRAMS)\n',
  'same.c': C['same.c'],
  'differs.c': C['differs.c'],
};

describe('a repository in another language, set up from Debian and tested without a network', () => {
  it.each([
    ['Python', PYTHON, { counts: { passed: 1, failed: 1, skipped: 0 }, failing: ['tests/test_sums.py::test_differs'] }],
    ['Go', GO, { counts: undefined, failing: ['TestDiffers'] }],
    ['Ruby', RUBY, { counts: { passed: 1, failed: 1, skipped: 0 }, failing: ['TestSums#test_differs'] }],
    ['PHP', PHP, { counts: { passed: 1, failed: 1, skipped: 0 }, failing: ['SumTest::testDiffers'] }],
    ['C with Autotools', AUTOTOOLS, { counts: { passed: 1, failed: 1, skipped: 0 }, failing: ['differs'] }],
    ['C', C, { counts: { passed: 1, failed: 1, skipped: 0 }, failing: ['differs'] }],
  ])(
    '%s',
    async (_language, files, { counts, failing }) => {
      const folder = await checkout(files);
      const plan = await discoverTests(folder, { timeoutSeconds: 300 });
      const mount = { kind: 'bind' as const, source: folder, target: '/repo', readOnly: false };
      const request = { plan, host, mount, run, repository: run, image: SANDBOX_IMAGE, timeoutSeconds: 400 };
      const environment = await prepareEnvironment(request, signal);
      if (environment.image !== SANDBOX_IMAGE) images.add(environment.image);
      expect(environment).toMatchObject({ prepared: true });
      const spec = { run, purpose: 'test', image: environment.image, mounts: [mount], workdir: '/repo' };
      const sandbox = await host.start({ ...spec, network: 'none', env: OFFLINE_VARIABLES }, signal);
      const { output, exitCode } = await sandbox.exec(plan.test ?? 'false', { seconds: 120 }, signal);
      await sandbox.remove();
      expect(exitCode, output).not.toBe(0);
      expect(readTestResults(output).counts, output).toEqual(counts);
      expect(readTestResults(output).failing).toEqual(failing);
      expect(explainFailure(output).reason, output).toBe('assertion');
    },
    600_000,
  );
});
