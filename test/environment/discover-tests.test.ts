import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { commandFor } from '../../src/environment/command-for.ts';
import { discoverTests } from '../../src/environment/discover-tests.ts';

const settings = { timeoutSeconds: 60 };
const made: string[] = [];
afterEach(async () => {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function tree(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fathom-discover-'));
  made.push(folder);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const plan = async (files: Record<string, string>) => discoverTests(await tree(files), settings);
const workflow = (run: string): string => `on: push\njobs:\n  test:\n    steps:\n      - run: ${run}\n`;

describe('how a repository is tested', () => {
  it('takes the test script and the lock file’s package manager', async () => {
    const manifest = JSON.stringify({ scripts: { test: 'vitest run' }, devDependencies: { vitest: '4' } });
    const found = await plan({ 'package.json': manifest, 'package-lock.json': '{}' });
    expect(found).toMatchObject({
      language: 'javascript',
      test: 'npm test',
      setup: 'npm ci --no-audit --no-fund',
      confidence: 'declared',
    });
    expect(found.single?.('test/a b.test.ts')).toBe("npx --no-install vitest run 'test/a b.test.ts'");
    expect(Object.keys(found.inputs)).toEqual(['package.json', 'package-lock.json']);
  });

  it.each([
    [{ 'pnpm-lock.yaml': '' }, 'pnpm test', 'corepack enable && pnpm install --frozen-lockfile'],
    [{ 'yarn.lock': '' }, 'yarn test', 'corepack enable && yarn install --frozen-lockfile'],
    [{ 'yarn.lock': '', '.yarnrc.yml': '' }, 'yarn test', 'corepack enable && yarn install --immutable'],
    [{}, 'npm test', 'npm install --no-audit --no-fund'],
  ])('knows the package manager of %j', async (lock, test, setup) => {
    const manifest = JSON.stringify({ scripts: { test: 'jest' }, dependencies: { a: '1' } });
    expect(await plan({ 'package.json': manifest, ...lock })).toMatchObject({ test, setup });
  });

  it('does not take the script that npm init writes for a test', async () => {
    const manifest = JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } });
    const found = await plan({ 'package.json': manifest });
    expect(found.test).toBeUndefined();
    expect(found.setup).toBeUndefined();
  });

  it.each([
    ['src by its looks', { 'pytest.ini': '', 'src/pkg/__init__.py': '' }, 'src'],
    ['src with modules', { 'pytest.ini': '', 'src/module.py': '' }, 'src'],
    [
      'what pyproject.toml says',
      { 'pyproject.toml': '[tool.setuptools.packages.find]\nwhere = ["lib"]\n[tool.pytest]\n', 'lib/pkg/a.py': '' },
      'lib',
    ],
    [
      'what setup.py says',
      { 'pytest.ini': '', 'setup.py': "setup(package_dir={'': 'lib'})", 'lib/pkg/a.py': '' },
      'lib',
    ],
    [
      'what setup.cfg says',
      { 'pytest.ini': '', 'setup.cfg': '[options]\npackage_dir =\n    = lib\n', 'lib/pkg/a.py': '' },
      'lib',
    ],
  ])('loads Python code from a bare checkout: %s', async (_name, files, folder) => {
    const found = await plan(files);
    expect(found.test).toBe(`PYTHONPATH=${folder} python3 -m pytest`);
    expect(found.searchPaths).toEqual({ PYTHONPATH: folder });
    expect(found.single?.('tests/test_a.py')).toBe(`PYTHONPATH=${folder} python3 -m pytest tests/test_a.py`);
  });

  it.each([
    [{ 'pytest.ini': '', 'src/__init__.py': '', 'src/a.py': '' }, { PYTHONPATH: '.' }],
    [{ 'pytest.ini': '', 'pkg/__init__.py': '' }, { PYTHONPATH: '.' }],
    [{ 'pytest.ini': '', 'module.py': '' }, { PYTHONPATH: '.' }],
    [{ 'pytest.ini': '', 'src/main.c': '' }, undefined],
    [{ 'pytest.ini': '', 'setup.py': '', 'tests/__init__.py': '', 'tests/test_a.py': '' }, undefined],
  ])('takes the root for the place of the code in %j', async (files, searchPaths) => {
    expect(await plan(files)).toMatchObject({ test: 'python3 -m pytest' });
    expect((await plan(files)).searchPaths).toEqual(searchPaths);
  });

  it.each([
    [{ 'pytest.ini': '[pytest]\n' }, 'pytest.ini configures pytest.'],
    [{ 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-q"\n' }, 'pyproject.toml configures pytest.'],
    [{ 'setup.cfg': '[tool:pytest]\n' }, 'setup.cfg configures pytest.'],
    [{ 'tox.ini': '[testenv]\ncommands = pytest\n' }, 'tox.ini names pytest.'],
    [{ 'tests/conftest.py': '', 'tests/test_a.py': '' }, 'There is a conftest.py.'],
    [{ 'setup.py': '', '.github/workflows/ci.yml': workflow('python -m pytest') }, 'A workflow runs pytest.'],
  ])('runs pytest where the project says so: %j', async (files, source) => {
    const found = await plan(files);
    expect(found).toMatchObject({ language: 'python', test: 'python3 -m pytest', confidence: 'declared' });
    expect(found.sources).toEqual([source]);
  });

  it('falls back to unittest, from the folder that it can start in', async () => {
    expect((await plan({ 'tests/test_a.py': '' })).test).toBe('python3 -m unittest discover -s tests');
    expect((await plan({ 'tests/__init__.py': '', 'tests/test_a.py': '' })).test).toBe('python3 -m unittest discover');
    expect((await plan({ 'test_a.py': '' })).test).toBe('python3 -m unittest discover');
  });

  it('installs the package with its test extra and the requirements of its tests', async () => {
    const pyproject =
      '[project]\nname = "a"\n[project.optional-dependencies]\ntest = ["x"]\n[tool.pytest.ini_options]\n';
    const found = await plan({ 'pyproject.toml': pyproject, 'requirements-dev.txt': 'y\n' });
    expect(found.setup).toContain("python3 -m pip install --use-pep517 -r requirements-dev.txt -e '.[test]' ||");
    expect(found.setup).toMatch(/python3 -c 'import pytest' 2>\/dev\/null \|\| python3 -m pip install pytest; }$/);
    expect(Object.keys(found.inputs)).toEqual(['pyproject.toml', 'requirements-dev.txt']);
  });

  it.each<[string, Record<string, string>, true | undefined]>([
    ['a package.json without dependencies', { 'package.json': '{"scripts": {"test": "node --test"}}' }, true],
    ['tests of the standard library alone', { 'a.py': '', 'test_a.py': '' }, true],
    ['a setup.cfg that only names the project', { 'setup.cfg': '[metadata]\nname = a\n', 'test_a.py': '' }, true],
    [
      'a setup.cfg that names requirements',
      { 'setup.cfg': 'install_requires =\n  attrs\n', 'test_a.py': '' },
      undefined,
    ],
    ['a Pipfile', { Pipfile: '', 'test_a.py': '' }, undefined],
    ['workspaces', { 'package.json': '{"workspaces": ["packages/*"]}' }, undefined],
    ['another language that installs something', { 'package.json': '{}', 'go.mod': 'module a\n' }, undefined],
    ['a Makefile', { Makefile: 'test:\n\ttrue\n' }, undefined],
    ['a requirements.txt', { 'requirements.txt': 'attrs\n', 'test_a.py': '' }, undefined],
    ['nothing that is known', { 'a.txt': '' }, undefined],
  ])('knows from %s whether something has to be installed', async (_what, files, needsNothing) => {
    expect((await plan(files)).needsNothing).toBe(needsNothing);
  });

  it('takes the set-up of a development container where nothing else says what to install', async () => {
    const devcontainer = '{\n  // For the editor.\n  "image": "x",\n  "postCreateCommand": "make deps"\n}\n';
    const files = { Makefile: 'test:\n\ttrue\n', '.devcontainer/devcontainer.json': devcontainer };
    expect(await plan(files)).toMatchObject({ test: 'make test', setup: 'make deps' });
    expect((await plan({ ...files, '.devcontainer/devcontainer.json': '{ // no\n' })).setup).toBeUndefined();
    const manifest = JSON.stringify({ scripts: { test: 'jest' }, dependencies: { a: '1' } });
    expect((await plan({ ...files, 'package.json': manifest })).setup).toContain('npm install');
  });

  it('falls back to Debian’s packages for what the project says that it needs', async () => {
    const files = {
      'requirements.txt':
        'PyYAML>=6 ; python_version > "3.8"\n# a comment\n-r other.txt\npython-dateutil\ngit+https://x/y\nb; rm -rf /\n',
      'setup.py': "setup(install_requires=['attrs>=20', \"zope.interface[test]\"], tests_require = ['mock'])",
      'setup.cfg':
        '[options]\ninstall_requires =\n    requests >= 2\n    importlib_metadata; python_version < "3.8"\n[other]\nx = 1\n',
      'test_a.py': '',
    };
    const names = ['yaml', 'dateutil', 'b', 'attr', 'zope.interface', 'mock', 'requests', 'importlib-metadata'];
    const { setup } = await plan(files);
    expect(setup).toContain(`apt-get install -qqy ${names.map((name) => `python3-${name}`).join(' ')} &&`);
    expect(setup).toContain('--no-index --no-build-isolation --no-deps -e .');
  });

  it.each([
    ['go.mod', 'go test ./...'],
    ['Cargo.toml', 'cargo test --offline'],
    ['build.gradle', 'gradle --offline test'],
    ['gradlew', './gradlew --offline test'],
    ['mvnw', './mvnw -o -B test'],
    ['Sums.sln', 'dotnet test --no-restore'],
    ['Makefile.PL', 'prove -lr t'],
    ['pom.xml', 'mvn -o -B test'],
    ['build.gradle.kts', 'gradle --offline test'],
    ['Gemfile', 'bundle exec rake test'],
  ])('knows the build tool of %s', async (file, test) => {
    expect((await plan({ [file]: '' })).test).toBe(test);
  });

  it('takes composer’s runner where the project has packages, and Debian’s where it has none', async () => {
    const needs = (name: string) => plan({ 'composer.json': JSON.stringify({ require: { [name]: '*' } }) });
    expect((await needs('monolog/monolog')).test).toMatch(/&& vendor\/bin\/phpunit$/);
    expect((await needs('monolog/monolog')).setup).toMatch(/&& composer install --no-interaction$/);
    expect((await needs('phpunit/phpunit')).test).toMatch(/&& phpunit$/);
    expect((await needs('phpunit/phpunit')).setup).toMatch(/composer dump-autoload --quiet$/);
  });

  it('fetches the modules of a Go project only where it needs any', async () => {
    expect((await plan({ 'go.mod': 'module a\n' })).setup).toContain('go mod download');
    expect((await plan({ 'go.mod': 'module a\n' })).setup).toContain('apt-get install -qqy golang-go');
  });

  it('takes a workflow’s test command where the files name none', async () => {
    const found = await plan({ '.github/workflows/ci.yml': workflow('npm run test:unit'), 'package.json': '{}' });
    expect(found).toMatchObject({ test: 'npm run test:unit', confidence: 'declared' });
    expect(found.sources).toContain('A workflow runs this test command.');
    const risky = await plan({ '.github/workflows/ci.yml': workflow('make test && curl example.org | sh') });
    expect(risky.test).toBeUndefined();
  });

  it('takes the Makefile’s target where there is nothing else, and not a variable of that name', async () => {
    expect(await plan({ Makefile: 'build:\n\ttrue\ntest: build\n\ttrue\n' })).toMatchObject({ test: 'make test' });
    expect((await plan({ Makefile: 'test := 1\n' })).test).toBeUndefined();
  });

  it('prefers what the workflows run where two languages could be meant', async () => {
    const both = { 'package.json': JSON.stringify({ scripts: { test: 'jest' } }), 'pytest.ini': '' };
    expect((await plan({ ...both, '.github/workflows/a.yml': workflow('npm test') })).test).toBe('npm test');
    expect((await plan({ ...both, '.github/workflows/a.yml': workflow('pytest') })).test).toBe('python3 -m pytest');
  });

  it('lets settings win over what it finds', async () => {
    const folder = await tree({ 'pytest.ini': '', 'scripts/set-up.sh': 'true' });
    const found = await discoverTests(folder, { ...settings, test: 'make verify', setup: 'bash scripts/set-up.sh' });
    expect(found).toMatchObject({ test: 'make verify', setup: 'bash scripts/set-up.sh', confidence: 'configured' });
    expect(Object.keys(found.inputs)).toEqual(['scripts/set-up.sh']);
  });

  it('says that it found nothing', async () => {
    expect(await plan({ 'README.md': 'hello' })).toEqual({ sources: [], confidence: 'none', inputs: {} });
  });
});

describe('a repository that nobody trusts', () => {
  it('reads no file through a link that leads out of it', async () => {
    const outside = await tree({ 'package.json': JSON.stringify({ scripts: { test: 'jest' } }) });
    const folder = await tree({});
    await symlink(join(outside, 'package.json'), join(folder, 'package.json'));
    await symlink(outside, join(folder, '.github'));
    expect((await discoverTests(folder, settings)).confidence).toBe('none');
  });

  it('hashes no file outside that a set-up command names', async () => {
    const folder = await tree({});
    const found = await discoverTests(folder, { ...settings, setup: 'cat /etc/passwd ../../etc/passwd' });
    expect(found.inputs).toEqual({});
  });

  it('does not wait for a named pipe', async () => {
    const folder = await tree({});
    execFileSync('/usr/bin/mkfifo', [join(folder, 'package.json')]);
    expect((await discoverTests(folder, settings)).confidence).toBe('none');
  });

  it.each([
    ['package.json', '{"scripts": 3'],
    ['package.json', '{"scripts": {"test": 3}}'],
    ['package.json', `{"a":${'['.repeat(50_000)}`],
    ['pyproject.toml', '[tool.pytest'],
    ['pyproject.toml', `a = ${'['.repeat(50_000)}`],
    ['setup.cfg', '\0'.repeat(1_000)],
  ])('survives a broken %s', async (file, text) => {
    await expect(plan({ [file]: text })).resolves.toBeDefined();
  });

  it('survives workflows that are bombs, endless nests or no workflow', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefghi'.split('').map((one, i) => `${one}: &${one} [${Array(9).fill(`*${'abcdefgh'[i]}`)}]`),
    ];
    const found = await plan({
      '.github/workflows/bomb.yml': bomb.join('\n'),
      '.github/workflows/deep.yml': '['.repeat(50_000),
      '.github/workflows/else.yml': 'jobs: 3',
      '.github/workflows/keys.yml': '? '.repeat(700),
      '.github/workflows/ok.yml': workflow('pytest'),
      'setup.py': '',
    });
    expect(found.test).toBe('python3 -m pytest');
  });

  it('quotes file names for the shell', async () => {
    const found = await plan({ 'pytest.ini': '' });
    expect(found.single?.("tests/a'; rm -rf /.py")).toBe("python3 -m pytest 'tests/a'\\''; rm -rf /.py'");
  });
});

describe('the command of a regression test', () => {
  const python = { single: (file: string) => `pytest ${file}` };
  it('is the one that the Resolver named', () => {
    expect(commandFor(python, { summary: 's', regressionTest: ' pytest a.py::b ' })).toBe('pytest a.py::b');
  });
  it('is made from its one test file where none was named', () => {
    expect(commandFor(python, { summary: 's', testFiles: ['a.py'] })).toBe('pytest a.py');
    expect(commandFor(python, { summary: 's', testFiles: ['a.py', 'b.py'] })).toBeUndefined();
    expect(commandFor({}, { summary: 's', testFiles: ['a.py'] })).toBeUndefined();
  });
  it('is refused where no command looks like that', () => {
    expect(commandFor({}, { summary: 's', regressionTest: 'x'.repeat(5_000) })).toBeUndefined();
    expect(commandFor({}, { summary: 's', regressionTest: 'a\0b' })).toBeUndefined();
  });
});
