import type { FileKind } from '../domain/patch.ts';

export interface ChangeFacts {
  path: string;
  /** True where base has no such file. */
  isNew: boolean;
  /** True where base keeps test files directly in its root, or has no test at all. */
  testsInRoot: boolean;
  /** True where another file of the change names it. */
  referenced: boolean;
}

/** Folders that tools fill and nobody commits. */
const CACHE_FOLDERS = new Set([
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.hypothesis',
  '.tox',
  '.nox',
  '.venv',
  'venv',
  '.eggs',
  '.cache',
  '.npm',
  '.ipynb_checkpoints',
  '.nyc_output',
  '.gradle',
  '.aider.tags.cache.v4',
  'htmlcov',
  'node_modules',
]);
const CACHE_SUFFIXES = ['.pyc', '.pyo', '.class', '.o', '.so', '.swp', '.swo', '.orig', '.rej', '~', '.egg-info'];
/** These can be a test's data, and are scratch only elsewhere. */
const WORK_SUFFIXES = ['.log', '.tmp', '.bak', '.patch', '.diff', '.out', '.old', '.prof'];
const WORK_NAMES = new Set([
  '.coverage',
  'coverage.xml',
  'nohup.out',
  'core',
  '.ds_store',
  'thumbs.db',
  '.python_history',
]);

const TEST_FOLDERS = new Set(['test', 'tests', '__tests__', 'testing', 'spec', 'specs', 'e2e', 'testdata', 'fixtures']);
const TEST_NAMES = [
  /^test_.*\.py$/,
  /_tests?\.(?:py|go|rb|exs|c|cc|cpp|dart|php)$/,
  /^conftest\.py$/,
  /^tests?\.(?:py|rs|ts|js)$/,
  /[.-](?:test|spec|cy)\.[cm]?[jt]sx?$/,
  /(?:tests?|testcase|spec)\.(?:java|kt|kts|scala|cs|groovy|swift|php)$/,
  /_spec\.rb$/,
  /^test-.*\.(?:[cm]?[jt]sx?|el|sh)$/,
];

const REPRODUCTION_WORDS = new Set(['repro', 'reproduce', 'reproducer', 'reproduction', 'reproducing', 'mwe', 'poc']);
const ROOT_WORDS = new Set([
  'debug',
  'demo',
  'check',
  'verify',
  'validate',
  'validation',
  'verification',
  'scratch',
  'tmp',
  'temp',
  'try',
  'trial',
  'bug',
  'issue',
  'fix',
  'minimal',
  'quick',
  'simple',
  'manual',
  'play',
  'playground',
  'investigate',
  'explore',
  'trace',
  'output',
  'out',
  'result',
  'results',
  'summary',
  'analysis',
  'findings',
  'solution',
]);
const SCRIPT_OR_TEXT = /\.(?:py|[cm]?[jt]sx?|rb|sh|go|rs|java|php|pl|c|cc|cpp|txt|md|json|html|ipynb)$/;

/**
 * Sorts a changed file by its name and by what is around it: an agent's leftovers are `scratch`, and only a file that
 * base does not have can be that. A file whose change is forbidden is told apart before (`protectedPaths`).
 */
export function classifyChange(facts: ChangeFacts): Exclude<FileKind, 'protected'> {
  const path = facts.path.toLowerCase();
  const test = isTestPath(path);
  if (!facts.isNew) return test ? 'test' : 'source';
  if (isCache(path) || (!test && isWorkFile(path))) return 'scratch';
  if (!facts.referenced && looksLikeReproduction(path, test, facts.testsInRoot)) return 'scratch';
  return test ? 'test' : 'source';
}

/** True for a test by the conventions of its language, and for anything in a folder of tests. */
export function isTestPath(path: string): boolean {
  const { folders, name } = parts(path.toLowerCase());
  return folders.some((folder) => TEST_FOLDERS.has(folder)) || TEST_NAMES.some((pattern) => pattern.test(name));
}

/** True for a folder that a tool made and that holds nothing worth a look. */
export const isCacheFolder = (path: string): boolean => CACHE_FOLDERS.has(parts(path.toLowerCase()).name);

function parts(path: string): { folders: string[]; name: string } {
  const folders = path.split('/');
  return { name: folders.pop() ?? '', folders };
}

function isCache(path: string): boolean {
  const { folders, name } = parts(path);
  if (folders.some((folder) => CACHE_FOLDERS.has(folder) || folder.endsWith('.egg-info'))) return true;
  return CACHE_SUFFIXES.some((suffix) => name.endsWith(suffix));
}

function isWorkFile(path: string): boolean {
  const { name } = parts(path);
  return WORK_NAMES.has(name) || WORK_SUFFIXES.some((suffix) => name.endsWith(suffix));
}

function looksLikeReproduction(path: string, test: boolean, testsInRoot: boolean): boolean {
  const { folders, name } = parts(path);
  const words = name.split(/[^a-z]+/);
  const inRoot = folders.length === 0;
  if (inRoot && test) return !testsInRoot;
  if (test || !SCRIPT_OR_TEXT.test(name)) return false;
  if (words.some((word) => REPRODUCTION_WORDS.has(word))) return true;
  return inRoot && words.some((word) => ROOT_WORDS.has(word));
}
