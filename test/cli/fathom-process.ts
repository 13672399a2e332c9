import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '../..');

export interface FathomProcess {
  pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when standard error has shown `words`. */
  shown(words: string): Promise<void>;
  done: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Runs `fathom` as a user does, in `folder`, with these variables and nothing else of this process's settings. */
export function startFathom(args: string[], folder: string, variables: Record<string, string> = {}): FathomProcess {
  const child = spawn(process.execPath, [join(root, 'src/cli/main.ts'), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
  });
  const stdout = text(child.stdout);
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    pid: child.pid ?? 0,
    kill: (signal) => child.kill(signal),
    shown: (words) =>
      new Promise((resolve, reject) => {
        const look = () => stderr.includes(words) && resolve();
        child.stderr.on('data', look);
        child.once('close', () => reject(new Error(`it ended without showing ${words}:\n${stderr}`)));
        look();
      }),
    done: closed.then(async (code) => ({ code, stdout: await stdout, stderr })),
  };
}

export const runFathom = (args: string[], folder: string, variables?: Record<string, string>) =>
  startFathom(args, folder, variables).done;
