import { type ShellCommand, splitShell } from './shell-segments.ts';

/** What an action is for (SHERLOC, Appendix I). */
export const PURPOSES = [
  'localize',
  'repair',
  'make_test',
  'run_test',
  'prepare_env',
  'think',
  'finish',
  'other',
] as const;
export type Purpose = (typeof PURPOSES)[number];

const READING_TOOLS = new Set(['view_file', 'codebase_search', 'repo_tree', 'connected_tree']);
const READING = new Set(
  'ls cat head tail grep rg ripgrep ag find tree less more file nl column stat pwd wc sed awk diff sort uniq cut echo'.split(
    ' ',
  ),
);
const PREPARING = new Set('source . export chmod chown which env virtualenv activate conda'.split(' '));
const PACKAGE_TOOLS = new Set('pip pip3 apt apt-get npm pnpm yarn poetry uv'.split(' '));
const GIT_READING = new Set('log show blame grep diff status ls-files'.split(' '));
const RUNNERS = new Set('pytest py.test unittest nosetests tox'.split(' '));
// What was changed weighs more than what was looked at beside it.
const WEIGHT: Purpose[] = ['repair', 'make_test', 'run_test', 'prepare_env', 'localize', 'finish', 'other'];

/**
 * The purpose of one action by SHERLOC's rules. A command made of several has the weightiest of their purposes; a
 * leading `cd` does not count. SHERLOC's agents edit with tools of their own; ours edit with the shell, so writing to a
 * file (redirection, `tee`, `git apply`, a script that writes) counts as the edit of that file.
 */
export function classifyStep(tool: string, args: Record<string, unknown>): Purpose {
  if (READING_TOOLS.has(tool)) return 'localize';
  if (tool.startsWith('submit')) return 'finish';
  if (tool === 'think') return 'think';
  const command = typeof args['command'] === 'string' ? args['command'] : '';
  return command === '' ? 'other' : classifyCommand(splitShell(command));
}

function classifyCommand(command: ShellCommand): Purpose {
  const moved = command.segments.filter((segment) => !/^cd(?:\s|$)/.test(segment));
  if (moved.length === 0) return command.segments.length > 0 ? 'localize' : 'other';
  const purposes = moved.map((segment) => classifySegment(segment, command.heredocs.join('\n')));
  return WEIGHT.find((purpose) => purposes.includes(purpose)) ?? 'other';
}

/** A path of a test or of a reproduction, by SHERLOC's patterns. */
export function isTestPath(path: string): boolean {
  const name = path.split('/').at(-1) ?? '';
  if (path.split('/').slice(0, -1).includes('tests')) return true;
  return /^test_|^conftest\.py$|_test\.py$|^reproduc|^repro_|^repro\./.test(name);
}

function classifySegment(segment: string, input: string): Purpose {
  const edited = editedPaths(segment, input);
  if (edited.length > 0) return edited.every(isTestPath) ? 'make_test' : 'repair';
  const words = wordsOf(segment);
  const program = (words[0] ?? '').split('/').at(-1) ?? '';
  if (/^python[\d.]*$/.test(program)) return classifyPython(words.slice(1), segment, input);
  return classifyProgram(program, words);
}

function classifyProgram(program: string, words: string[]): Purpose {
  const first = words[1] ?? '';
  if (RUNNERS.has(program) || (program === 'coverage' && first === 'run')) return 'run_test';
  if (PACKAGE_TOOLS.has(program)) return words.includes('test') ? 'run_test' : 'prepare_env';
  if (PREPARING.has(program)) return 'prepare_env';
  if (program === 'git') return GIT_READING.has(first) ? 'localize' : 'other';
  if (program === 'xargs') return words.includes('grep') ? 'localize' : 'other';
  return READING.has(program) ? 'localize' : 'other';
}

function classifyPython(words: string[], segment: string, input: string): Purpose {
  if (words[0] === '-m' && RUNNERS.has(words[1] ?? '')) return 'run_test';
  if (words[0] === '-m' && ['pip', 'venv', 'virtualenv'].includes(words[1] ?? '')) return 'prepare_env';
  if (words.includes('setup.py'))
    return words.some((word) => ['install', 'develop', 'build'].includes(word)) ? 'prepare_env' : 'other';
  const code = `${segment}\n${input}`;
  const script = words.find((word) => !word.startsWith('-')) ?? '';
  if (isTestPath(script) || /reproduc|repro_|test_|runtests/.test(segment)) return 'run_test';
  const isInline = words.includes('-c') || input !== '';
  return isInline && /(?:^|[\n;"'\s])(?:from [\w.]+ import |import \w)/.test(code) ? 'run_test' : 'other';
}

/** The files that a command writes to, as far as it can be seen. */
function editedPaths(segment: string, input: string): string[] {
  const words = wordsOf(segment);
  const program = (words[0] ?? '').split('/').at(-1) ?? '';
  if ((program === 'git' && words[1] === 'apply') || program === 'patch') return patched(words, input);
  if (program === 'sed' || program === 'perl') return inPlace(words);
  if (program === 'tee') return words.slice(1).filter((word) => !word.startsWith('-'));
  if (/^python[\d.]*$/.test(program)) return writtenByScript(`${segment}\n${input}`);
  return redirected(segment);
}

function patched(words: string[], input: string): string[] {
  const named = input.split('\n').filter((line) => line.startsWith('+++ '));
  if (named.length > 0) return named.map((line) => line.slice(4).replace(/^b\//, ''));
  return words.some((word) => word === '--check' || word === '--stat') ? [] : ['a patch'];
}

/** `sed -i` edits its last operands; `sed -n` only reads. */
function inPlace(words: string[]): string[] {
  const edits = words.some((word) => /^-[a-zA-Z]*i/.test(word) || word.startsWith('--in-place'));
  return edits ? [words.at(-1) ?? ''] : [];
}

function writtenByScript(code: string): string[] {
  if (!/\.write_text\(|\.writelines?\(|\.write\(|open\([^\n)]*,\s*(?:mode=)?["'][wax]/.test(code)) return [];
  const literals = [...code.matchAll(/["']([\w./-]{1,200}\.[a-z]{1,5})["']/g)].map((match) => match[1] as string);
  return literals.length > 0 ? literals : ['a file'];
}

function redirected(segment: string): string[] {
  const bare = segment.replaceAll(/'[^']*'|"[^"]*"/g, (quoted) => (quoted.length < 3 ? '' : quoted.replace(/>/g, ' ')));
  return [...bare.matchAll(/(?:^|[^\d&>])>{1,2}\s*["']?([\w./~-]+)/g)]
    .map((match) => match[1] as string)
    .filter((path) => path !== '/dev/null' && !path.startsWith('/tmp/'));
}

const wordsOf = (segment: string): string[] => {
  const words = segment.split(/\s+/);
  const first = words.findIndex(
    (word) => !/^\w+=/.test(word) && word !== 'timeout' && word !== 'time' && !/^\d+s?$/.test(word),
  );
  return first < 0 ? words : words.slice(first);
};
