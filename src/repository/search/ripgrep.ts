import { spawn } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';

const MAX_OUTPUT = 8 * 1024 * 1024;

export interface RipgrepCount {
  path: string;
  lines: number;
}

/**
 * Files with a literal text and how many of their lines hold it, whatever its case. Only counts come out of ripgrep, never lines:
 * its limit on columns does not hold for every output format. Stopped after `milliseconds` or 8 MB.
 */
export async function countMatchingLines(
  root: string,
  text: string,
  within: string,
  milliseconds: number,
): Promise<{ counts: RipgrepCount[]; complete: boolean }> {
  const args = [
    '--no-config',
    '--no-messages',
    '--no-ignore',
    '--hidden',
    '--null',
    '--glob',
    '!.git',
    '--max-filesize',
    '8M',
  ];
  const mode = ['--count', '--with-filename', '--fixed-strings', '--ignore-case', '--threads', '2'];
  const { output, complete } = await run(root, [...args, ...mode, '-e', text, '--', `./${within}`], milliseconds);
  return { counts: parseCounts(output), complete };
}

function run(cwd: string, args: string[], milliseconds: number): Promise<{ output: Buffer; complete: boolean }> {
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'], env: {} });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let complete = true;
    const stop = () => {
      complete = false;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(stop, milliseconds);
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_OUTPUT) chunks.push(chunk);
      else stop();
    });
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve({ output: Buffer.concat(chunks), complete });
    });
  });
}

/** `./path`, NUL, count, line end; a path may itself hold line ends. */
function parseCounts(output: Buffer): RipgrepCount[] {
  const counts: RipgrepCount[] = [];
  const text = output.toString('utf8');
  let at = 0;
  while (at < text.length) {
    const zero = text.indexOf('\0', at);
    const end = zero < 0 ? -1 : text.indexOf('\n', zero);
    if (end < 0) break;
    const path = text.slice(text.startsWith('./', at) ? at + 2 : at, zero);
    counts.push({ path, lines: Number(text.slice(zero + 1, end)) });
    at = end + 1;
  }
  return counts;
}
