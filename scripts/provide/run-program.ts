import { spawn } from 'node:child_process';
import { EnvironmentError } from '../../src/domain/errors.ts';

export interface ProgramOptions {
  env?: Record<string, string>;
  cwd?: string;
}

const TAIL_CHARACTERS = 2000;

/**
 * Runs a program to its end without input, and gives what it printed on both of its streams.
 * @throws EnvironmentError with the end of the output when it cannot be started or fails; `remedy` says what to do then.
 */
export function runProgram(
  file: string,
  args: string[],
  remedy: string,
  options: ProgramOptions = {},
): Promise<string> {
  const program = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
  });
  let output = '';
  const keep = (text: string) => {
    output = (output + text).slice(-1_000_000);
  };
  program.stdout.setEncoding('utf8').on('data', keep);
  program.stderr.setEncoding('utf8').on('data', keep);
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: Error) => {
      const command = [file, ...args].join(' ');
      const message = `${command}: ${why}\n${output.slice(-TAIL_CHARACTERS).trim()}`.trim();
      reject(new EnvironmentError('program', message, remedy, { cause }));
    };
    program.once('error', (error) => fail(error.message, error));
    program.once('close', (code, killedBy) => (code === 0 ? resolve(output) : fail(`ended with ${code ?? killedBy}`)));
  });
}
