import { parse } from 'smol-toml';
import { z } from 'zod';
import { type LanguagePlan, quoted } from '../test-plan.ts';
import type { TreeFiles } from '../tree-files.ts';
import { debianPackages, writtenRequirements } from './debian-python.ts';

const Pyproject = z.object({
  project: z
    .object({
      dependencies: z.array(z.string()).optional().catch(undefined),
      'optional-dependencies': z.record(z.string(), z.array(z.string())).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  tool: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
type Pyproject = z.infer<typeof Pyproject>;

/** Where projects write down what their tests need, the narrower names first. */
const REQUIREMENTS = [
  ...['requirements-test.txt', 'requirements_test.txt', 'test-requirements.txt', 'test_requirements.txt'],
  ...['requirements-dev.txt', 'requirements_dev.txt', 'dev-requirements.txt'],
  ...['requirements/test.txt', 'requirements/tests.txt', 'requirements/dev.txt'],
];
const EXTRAS = ['test', 'tests', 'testing', 'dev'];
const PACKAGING = ['pyproject.toml', 'setup.py', 'setup.cfg'];
const SIGNS = [...PACKAGING, 'tox.ini', 'pytest.ini', 'conftest.py', 'requirements.txt', 'Pipfile', 'noxfile.py'];

/** `where = ["lib"]`, `package_dir={"": "lib"}` and the same in setup.cfg; one plain name. */
const PACKAGE_FOLDER =
  /(?:\bwhere\s{0,9}=\s{0,9}\[?\s{0,9}|package[_-]dir\s{0,9}=[{\s]{0,9}["']{0,2}\s{0,9}[:=]\s{0,9})["']?(\w{1,40})["']?/;

/** Projects seldom say that they need pytest itself, and an image may have it already. */
const HAVE_PYTEST = `{ python3 -c 'import pytest' 2>/dev/null || python3 -m pip install pytest; }`;

interface Project {
  names: Set<string>;
  testFolder: string | undefined;
  testNames: Set<string>;
  pyproject: Pyproject | undefined;
  texts: Map<string, string>;
}

/** Python: pytest where the project says so anywhere, else the standard library's unittest. */
export async function pythonPlan(files: TreeFiles, commands: string[]): Promise<LanguagePlan | undefined> {
  const project = await readProject(files);
  const isPython = SIGNS.some((name) => project.names.has(name)) || hasPythonTests(project);
  if (!isPython) return undefined;
  const pytest = pytestSign(project, commands);
  const declared = pytest !== undefined || commands.some((command) => command.includes('unittest'));
  const unittest = hasPythonTests(project) || declared ? unittestCommand(project) : undefined;
  const folder = await codeFolder(files, project);
  // A script elsewhere would else import whatever version of the package is installed.
  const path = folder ?? ((await hasCodeInRoot(files, project)) ? '.' : undefined);
  const from = folder === undefined ? '' : `PYTHONPATH=${quoted(folder)} `;
  const test = pytest === undefined ? unittest : 'python3 -m pytest';
  return {
    language: 'python',
    ...(test === undefined ? {} : { test: `${from}${test}` }),
    single: (file) => `${from}python3 -m ${pytest === undefined ? 'unittest' : 'pytest'} ${quoted(file)}`,
    ...installing(project, pytest !== undefined),
    ...(path === undefined ? {} : { searchPaths: { PYTHONPATH: path } }),
    sources: [
      pytest ?? 'Nothing names pytest, so the tests are taken for unittest’s.',
      ...(folder === undefined ? [] : [`The packages are in ${folder}/.`]),
    ],
    confidence: declared ? 'declared' : 'guessed',
    runners: ['pytest', 'unittest', 'tox', 'nox'],
  };
}

/** Files that would name something to install, and from which no set-up is made. */
const OTHER_LISTS = ['Pipfile', 'tox.ini', 'noxfile.py', 'environment.yml', 'environment.yaml'];

function installing(project: Project, pytest: boolean): Pick<LanguagePlan, 'setup' | 'needsNothing'> {
  const setup = setupOf(project, pytest);
  if (setup !== undefined) return { setup };
  return namesNothing(project) ? { needsNothing: true } : {};
}

const namesNothing = ({ names, texts }: Project): boolean =>
  !OTHER_LISTS.some((name) => names.has(name)) && ![...texts.values()].some((text) => /require|depend/i.test(text));

async function readProject(files: TreeFiles): Promise<Project> {
  const names = new Set(await files.list('.'));
  const testFolder = ['tests', 'test'].find((name) => names.has(name));
  const texts = new Map<string, string>();
  for (const path of [...SIGNS, ...REQUIREMENTS]) {
    const text = await files.read(path);
    if (text !== undefined) texts.set(path, text);
  }
  const testNames = new Set(testFolder ? await files.list(testFolder) : []);
  return { names, testFolder, testNames, pyproject: toml(texts.get('pyproject.toml')), texts };
}

/** The folder that holds the packages where that is not the root: `src` by its looks, another where the project says it. */
async function codeFolder(files: TreeFiles, { names, texts }: Project): Promise<string | undefined> {
  const said = [...texts.values()].flatMap((text) => PACKAGE_FOLDER.exec(text)?.[1] ?? []);
  for (const folder of new Set([...said, 'src'])) {
    if (!names.has(folder)) continue;
    const inside = await files.list(folder);
    if (inside.includes('__init__.py')) continue;
    if (inside.some((name) => name.endsWith('.py') && name !== 'setup.py')) return folder;
    for (const name of inside.slice(0, 30)) {
      if ((await files.list(`${folder}/${name}`)).some((inner) => inner.endsWith('.py'))) return folder;
    }
  }
  return undefined;
}

const NO_CODE = new Set([
  'setup.py',
  'conftest.py',
  'noxfile.py',
  'tasks.py',
  'manage.py',
  'runtests.py',
  'fabfile.py',
]);
const NO_PACKAGES = new Set([
  'test',
  'tests',
  'docs',
  'doc',
  'examples',
  'example',
  'scripts',
  'tools',
  'bin',
  'benchmarks',
]);

/** A package or a module directly in the root. */
async function hasCodeInRoot(files: TreeFiles, { names }: Project): Promise<boolean> {
  const modules = [...names].filter((name) => name.endsWith('.py') && !NO_CODE.has(name) && !isTestFile(name));
  if (modules.length > 0) return true;
  const folders = [...names].filter((name) => /^\w+$/.test(name) && !NO_PACKAGES.has(name));
  for (const name of folders.slice(0, 30)) {
    if ((await files.list(name)).includes('__init__.py')) return true;
  }
  return false;
}

const isTestFile = (name: string): boolean => /^test.*\.py$|_test\.py$/.test(name);
const hasPythonTests = ({ names, testNames }: Project): boolean => [...names, ...testNames].some(isTestFile);

function pytestSign({ names, testNames, pyproject, texts }: Project, commands: string[]): string | undefined {
  const section = (path: string, name: string): boolean =>
    (texts.get(path) ?? '').split('\n').some((line) => line.trim() === `[${name}]`);
  if (names.has('pytest.ini')) return 'pytest.ini configures pytest.';
  if (pyproject?.tool?.['pytest'] !== undefined) return 'pyproject.toml configures pytest.';
  if (section('setup.cfg', 'tool:pytest')) return 'setup.cfg configures pytest.';
  if (section('tox.ini', 'pytest')) return 'tox.ini configures pytest.';
  if (names.has('conftest.py') || testNames.has('conftest.py')) return 'There is a conftest.py.';
  if (commands.some((command) => /\bpytest\b/.test(command))) return 'A workflow runs pytest.';
  const naming = [...texts].find(([, text]) => /\bpytest\b/.test(text));
  return naming && `${naming[0]} names pytest.`;
}

/** unittest finds `test*.py` below its start folder; a test folder that is no package has to be the start itself. */
function unittestCommand({ testFolder, testNames, names }: Project): string {
  const atRoot = [...names].some(isTestFile);
  if (atRoot || testFolder === undefined || testNames.has('__init__.py')) return 'python3 -m unittest discover';
  return `python3 -m unittest discover -s ${testFolder}`;
}

function setupOf(project: Project, pytest: boolean): string | undefined {
  const { names, pyproject, texts } = project;
  const extras = Object.keys(pyproject?.project?.['optional-dependencies'] ?? {});
  const extra = EXTRAS.find((name) => extras.includes(name));
  const packaged =
    names.has('setup.py') || (names.has('pyproject.toml') && isPackaged(texts.get('pyproject.toml') ?? ''));
  const parts = [
    ...requirementFiles(project).map((path) => `-r ${path}`),
    ...(packaged ? [`-e ${extra === undefined ? '.' : `'.[${extra}]'`}`] : []),
  ];
  const install = `python3 -m pip install --use-pep517 ${parts.join(' ')}`;
  const commands = [
    ...(parts.length > 0 ? [`{ ${install} || ${fromDebian(project, extra, packaged)}; }`] : []),
    ...(pytest ? [HAVE_PYTEST] : []),
  ];
  return commands.length === 0 ? undefined : commands.join(' && ');
}

const requirementFiles = ({ names, texts }: Project): string[] =>
  [names.has('requirements.txt') ? 'requirements.txt' : undefined, REQUIREMENTS.find((path) => texts.has(path))].filter(
    (path) => path !== undefined,
  );

/** Where no index answers, Debian's packages may do, in its versions; the project itself then needs no build. */
function fromDebian(project: Project, extra: string | undefined, packaged: boolean): string {
  const { pyproject, texts } = project;
  const declared = pyproject?.project;
  const packages = debianPackages([
    ...requirementFiles(project).flatMap((path) => (texts.get(path) ?? '').split('\n')),
    ...(declared?.dependencies ?? []),
    ...(extra === undefined ? [] : (declared?.['optional-dependencies']?.[extra] ?? [])),
    ...['setup.py', 'setup.cfg'].flatMap((path) => writtenRequirements(texts.get(path) ?? '')),
  ]);
  const steps = [
    ...(packages.length > 0 ? [`apt-get update -qq && apt-get install -qqy ${packages.map(quoted).join(' ')}`] : []),
    ...(packaged ? [`{ python3 -m pip install --no-index --no-build-isolation --no-deps -e . || true; }`] : []),
  ];
  return `{ ${steps.length === 0 ? 'false' : steps.join(' && ')}; }`;
}

/** A pyproject.toml may hold nothing but settings of tools. */
const isPackaged = (text: string): boolean => /^\[(?:project|build-system|tool\.poetry)\]\s*$/m.test(text);

function toml(text: string | undefined): Pyproject | undefined {
  try {
    return text === undefined ? undefined : Pyproject.parse(parse(text));
  } catch {
    return undefined;
  }
}
