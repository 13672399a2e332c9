import { spawn } from 'node:child_process';

/** Runs a program that writes to this terminal and reads nothing. True when it ended with 0. */
export function passes(file: string, args: string[], cwd: string): Promise<boolean> {
  const program = spawn(file, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve, reject) => {
    program.once('error', reject);
    program.once('close', (code) => resolve(code === 0));
  });
}
