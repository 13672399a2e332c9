import { type ChildProcess, spawn } from 'node:child_process';
import { CancelledError, EnvironmentError } from '../domain/errors.ts';
import { type ConfigPair, gitEnvironment } from './hardening.ts';

export interface GitCall {
  args: string[];
  cwd?: string;
  gitDir?: string;
  workTree?: string;
  indexFile?: string;
  /** Where new objects go, when not into `gitDir`. */
  objects?: string;
  input?: Buffer;
  config?: ConfigPair[];
  /** Transports that this call may use, as `file` or `https:http`; none when absent. */
  protocols?: string;
  seconds?: number;
  /** Exit codes that are answers and not failures; only 0 when absent. */
  accept?: number[];
}

export interface GitResult {
  code: number;
  stdout: Buffer;
  /** The end of what git said, on one line, printable. For people only. */
  complaint: string;
}

/** @throws EnvironmentError when git failed or took too long, CancelledError when `signal` was aborted. */
export type Git = (call: GitCall, signal: AbortSignal) => Promise<GitResult>;

const DEFAULT_SECONDS = 120;
const OUTPUT_LIMIT = 256 * 1024 * 1024;
const COMPLAINT_LIMIT = 4000;
/** Any failure of git itself; what it means is the caller's to say. */
export const ANY_EXIT = [0, 1, 2, 128, 129];

/** Runs the git binary, without a shell, in an environment of our own making. `surroundings` is the process's. */
export function createGit(surroundings: Record<string, string | undefined>): Git {
  return async (call, signal) => {
    throwIfCancelled(signal);
    const child = start(call, surroundings);
    const seconds = call.seconds ?? DEFAULT_SECONDS;
    const limits = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
    const ended = await watch(child, call.input, limits);
    throwIfCancelled(signal);
    if (ended.code !== null && (call.accept ?? [0]).includes(ended.code)) return { ...ended, code: ended.code };
    if (ended.tooMuch) throw tooMuchOutput(call);
    const why = limits.aborted ? `took longer than ${seconds} s and was stopped` : ended.complaint || 'failed';
    throw new EnvironmentError(
      'git',
      `git ${call.args[0]}: ${why}`,
      'Check that git 2.31 or newer is installed and that the data directory can be written; then run it again.',
    );
  };
}

/** Ends with the abort's own reason where that already says who stopped it. */
export function throwIfCancelled(signal: AbortSignal): void {
  if (!signal.aborted) return;
  if (signal.reason instanceof CancelledError) throw signal.reason;
  throw new CancelledError('the caller');
}

function start(call: GitCall, surroundings: Record<string, string | undefined>): ChildProcess {
  const env = gitEnvironment(surroundings, call.protocols ?? 'none', call.config ?? []);
  if (call.gitDir !== undefined) env['GIT_DIR'] = call.gitDir;
  if (call.workTree !== undefined) env['GIT_WORK_TREE'] = call.workTree;
  if (call.indexFile !== undefined) env['GIT_INDEX_FILE'] = call.indexFile;
  if (call.objects !== undefined) env['GIT_OBJECT_DIRECTORY'] = call.objects;
  // A group of its own, so that git's own children end with it.
  return spawn('git', call.args, { cwd: call.cwd ?? '/', env, detached: true, stdio: 'pipe' });
}

function watch(child: ChildProcess, input: Buffer | undefined, limits: AbortSignal) {
  return new Promise<{ code: number | null; stdout: Buffer; complaint: string; tooMuch: boolean }>(
    (resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      let said = '';
      const kill = () => killGroup(child);
      limits.addEventListener('abort', kill);
      child.stdout?.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > OUTPUT_LIMIT) kill();
        else chunks.push(chunk);
      });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-COMPLAINT_LIMIT);
      });
      // A git that ends before it has read everything closes the pipe; its exit code tells the story.
      child.stdin?.on('error', () => {}).end(input);
      child.on('error', (cause) => reject(cannotStart(cause)));
      child.on('close', (code) => {
        limits.removeEventListener('abort', kill);
        resolve({ code, stdout: Buffer.concat(chunks), complaint: printable(said), tooMuch: size > OUTPUT_LIMIT });
      });
    },
  );
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

const printable = (text: string): string =>
  text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(-600);

const cannotStart = (cause: Error) =>
  new EnvironmentError('git', `git cannot be started: ${cause.message}`, 'Install git 2.31 or newer.', { cause });

const tooMuchOutput = ({ args }: GitCall) =>
  new EnvironmentError(
    'git',
    `git ${args[0]}: more than ${OUTPUT_LIMIT / 1024 / 1024} MiB came out`,
    'The repository or the change is too large to be worked on here.',
  );
