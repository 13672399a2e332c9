import { pathOf } from '../datasets/gold.ts';
import type { Instance } from '../datasets/instance.ts';
import { DiffError, parseDiff } from '../datasets/parse-diff.ts';

/** The files that an instance's tests are in; none where its test patch cannot be read. */
export function testFiles({ test_patch }: Pick<Instance, 'test_patch'>): string[] {
  if (!test_patch) return [];
  try {
    return parseDiff(test_patch)
      .filter((file) => file.newPath !== undefined && !file.binary)
      .map((file) => file.newPath ?? pathOf(file))
      .filter((path) => /\.(?:py|[cm]?[jt]sx?|go|rb|rs|java|kt|php|cs)$/.test(path));
  } catch (error) {
    if (error instanceof DiffError) return [];
    throw error;
  }
}

/**
 * The command that runs those files and says of each test what became of it. The instance's own wins (`{files}` stands
 * for the files); then what its project is known to need (SWE-bench's harness); then the repository's command.
 */
export function testCommand(instance: Instance, usual: string | undefined): string {
  const files = testFiles(instance);
  const quoted = files.map(quote).join(' ');
  if (instance.test_command) return instance.test_command.replaceAll('{files}', quoted);
  if (instance.repo === 'django/django') {
    const labels = files
      .filter((file) => file.startsWith('tests/'))
      .map((file) => file.slice(6, -3).replaceAll('/', '.'));
    return `./tests/runtests.py --verbosity 2 --settings=test_sqlite --parallel 1 ${labels.map(quote).join(' ')}`;
  }
  if (instance.repo === 'sympy/sympy') return `bin/test -C --verbose ${quoted}`;
  const isPython = files.some((file) => file.endsWith('.py'));
  if (usual !== undefined && !(isPython && usual.includes('pytest'))) return usual;
  return `python -m pytest -rA --tb=no -p no:cacheprovider ${quoted}`;
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
