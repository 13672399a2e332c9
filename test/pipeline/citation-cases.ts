import type { Citation } from '#src/domain/citation.ts';

const code = `import os

class Tree:
    def grow(self):
        return 1

    def fall(self):
        return os.name
`;

/** A repository with what citations meet: `links` are made beside it. */
export const files: Record<string, string | Buffer> = {
  'src/plants.py': code,
  'lib/tools.py': 'def cut():\n    pass\n',
  'bin/tools.py': 'def saw():\n    pass\n',
  'logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]),
  'empty.py': '',
  'big.sql': Buffer.alloc(9 * 1024 * 1024, 'x\n'),
};

/** What the commands of the transcript printed. */
export const printed: [command: string, output: string][] = [
  ['cd src && python3 -c "import plants; print(plants.Tree().grow())"; python3 --version', '1\nPython 3.11.2'],
  ['pytest -q', '....F\nFAILED test_plants.py::test_fall\n1 failed, 4 passed in 0.10s'],
];

/** What the look-up of a package printed in the container. */
export const installed: Record<string, string> = {
  numpy:
    'package\t1.24.2\t/usr/lib/python3/dist-packages\nfile\t/usr/lib/python3/dist-packages/numpy/version.py\t23\nsymbol\t9\n',
  scratch: 'package\t1.0\t/tmp/lib\nfile\t/tmp/lib/scratch.py\t3\n',
  absent: '',
};

const repository = (path: string, startLine: number, endLine: number, symbol?: string): Citation => ({
  kind: 'repository',
  path,
  startLine,
  endLine,
  ...(symbol === undefined ? {} : { symbol }),
});
const observation = (command: string, output: string): Citation => ({ kind: 'observation', command, output });
const dependency = (name: string, rest: object = {}): Citation => ({ kind: 'dependency', package: name, ...rest });
const version = { version: '1.24.2', path: 'numpy/version.py' };

/** Every kind of citation that an audit meets, in the order of `docs/diagnosis.md`. */
export const cases: [name: string, citation: Citation][] = [
  ['lines and symbol as they are', repository('src/plants.py', 4, 5, 'Tree.grow')],
  ['lines without a symbol', repository('src/plants.py', 1, 3)],
  ['lines inside a definition that do not repeat its name', repository('src/plants.py', 8, 8, 'fall')],
  ['drifted lines', repository('src/plants.py', 2, 2, 'grow')],
  ['moved symbol', repository('src/plants.py', 4, 5, 'fall')],
  ['renamed symbol', repository('src/plants.py', 4, 5, 'sprout')],
  ['part of a name', repository('src/plants.py', 4, 5, 'gro')],
  ['lines that run over the end', repository('src/plants.py', 7, 99)],
  ['lines after the end', repository('src/plants.py', 50, 60)],
  ['lines the wrong way round', repository('src/plants.py', 8, 4)],
  ['path in the wrong case', repository('src/Plants.py', 4, 5, 'grow')],
  ['path of another checkout', repository('/testbed/src/plants.py', 4, 5, 'grow')],
  ['path shortened to its only end', repository('plants.py', 4, 5, 'grow')],
  ['path shortened to an end that two files have', repository('tools.py', 1, 2)],
  ['missing file', repository('src/animals.py', 1, 2)],
  ['path that leaves the repository', repository('../../etc/passwd', 1, 2)],
  ['folder', repository('src', 1, 2)],
  ['link out of the repository', repository('secret.py', 1, 1)],
  ['file behind a linked folder', repository('linked/secret.py', 1, 1)],
  ['binary file', repository('logo.png', 1, 1)],
  ['empty file', repository('empty.py', 1, 1)],
  ['huge file', repository('big.sql', 1, 1)],
  ['command and output as they were', observation('pytest -q', '1 failed, 4 passed in 0.10s')],
  ['last line of a longer command', observation('python3 --version', 'Python 3.11.2')],
  ['output with lines left out', observation('pytest -q', '....F\n...\n1 failed, 4 passed in 0.10s')],
  ['output of another command', observation('python3 -m pytest', 'FAILED test_plants.py::test_fall')],
  ['output that was not printed', observation('pytest -q', '5 passed')],
  ['command that was never run', observation('make test', 'ok')],
  ['command without output', observation('pytest -q', '  ')],
  ['package, version and file as installed', dependency('numpy', { ...version, startLine: 9, endLine: 9 })],
  ['another version than the installed one', dependency('numpy', { version: '2.0' })],
  ['lines after the end of a package file', dependency('numpy', { ...version, startLine: 90, endLine: 91 })],
  ['symbol elsewhere in a package file', dependency('numpy', { ...version, symbol: 'full', startLine: 1, endLine: 2 })],
  ['file that the agent itself could write', dependency('scratch', { path: 'scratch.py' })],
  ['package that is not installed', dependency('absent', { version: '1.0' })],
  ['file of a package that is not installed', dependency('absent', { path: 'absent/core.py' })],
  ['standard', { kind: 'standard', name: 'RFC 3986 §5.2' }],
];
