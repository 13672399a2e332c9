import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Repository } from './repository.ts';
import { RepositoryError } from './repository-error.ts';
import type { WorkerReply, WorkerRequest } from './worker.ts';

export interface RepositoryOptions {
  /** Seconds that one call may take before its process is ended; the next call starts a new one. Default 60. */
  callSeconds?: number;
  /** Megabytes of JavaScript heap. Default 1024. */
  memoryMegabytes?: number;
}

/**
 * Opens a checkout for reading. `tree` is a folder that nobody writes to while it is open.
 * Costs nothing until the first call; `close` it when done. It does not keep the process alive.
 */
export function openRepository(tree: string, options: RepositoryOptions = {}): Repository {
  const reader = new ReaderProcess(tree, options.callSeconds ?? 60, options.memoryMegabytes ?? 1024);
  const call = <M extends WorkerRequest['method']>(method: M) =>
    ((...args: unknown[]) => reader.call(method, args)) as Repository[M];
  return {
    tree: call('tree'),
    view: call('view'),
    search: call('search'),
    connected: call('connected'),
    outline: call('outline'),
    rank: call('rank'),
    checkCitation: call('checkCitation'),
    checkLocation: call('checkLocation'),
    issueTemplates: call('issueTemplates'),
    close: () => reader.close(),
  };
}

interface Call {
  request: WorkerRequest;
  resolve(value: unknown): void;
  reject(error: RepositoryError): void;
}

/** One call at a time: a hostile file can then only cost its own call, and the limit counts work, not waiting. */
class ReaderProcess {
  private readonly tree: string;
  private readonly milliseconds: number;
  private readonly memory: number;
  private readonly waiting: Call[] = [];
  private current: { call: Call; timer: NodeJS.Timeout } | undefined;
  private child: ChildProcess | undefined;
  private closed = false;
  private nextId = 1;

  constructor(tree: string, seconds: number, memory: number) {
    this.tree = tree;
    this.milliseconds = seconds * 1000;
    this.memory = memory;
  }

  call(method: WorkerRequest['method'], args: unknown[]): Promise<unknown> {
    if (this.closed) return Promise.reject(new RepositoryError('closed', 'the repository is closed'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ request: { id: this.nextId++, method, args }, resolve, reject });
      this.next();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    const child = this.child;
    for (const call of this.waiting.splice(0)) call.reject(new RepositoryError('closed', 'the repository was closed'));
    this.end(new RepositoryError('closed', 'the repository was closed'));
    if (child && child.exitCode === null && child.signalCode === null) {
      // Nothing else may keep the process alive, and whoever waits for the end has to see it.
      child.ref();
      await new Promise((resolve) => child.once('exit', resolve));
    }
  }

  private next(): void {
    if (this.current || this.waiting.length === 0) return;
    const call = this.waiting.shift() as Call;
    const timer = setTimeout(() => {
      const seconds = this.milliseconds / 1000;
      this.end(
        new RepositoryError('timed-out', `reading the repository (${call.request.method}) took over ${seconds} s`),
      );
    }, this.milliseconds);
    this.current = { call, timer };
    const child = this.ensureChild();
    child.ref();
    child.channel?.ref();
    child.send(call.request, (error) => {
      if (error) this.end(new RepositoryError('crashed', 'the reading process could not be reached', { cause: error }));
    });
  }

  private ensureChild(): ChildProcess {
    if (this.child) return this.child;
    const child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), [this.tree], {
      env: {},
      execArgv: [
        `--max-old-space-size=${this.memory}`,
        '--enable-experimental-regexp-engine-on-excessive-backtracks',
        '--disable-warning=ExperimentalWarning',
      ],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (reply) => this.settle(child, reply as WorkerReply));
    child.on('error', (cause) => this.lost(child, cause));
    child.on('exit', (code, signal) => this.lost(child, new Error(`ended with ${signal ?? code}`)));
    this.child = child;
    return child;
  }

  private settle(child: ChildProcess, reply: WorkerReply): void {
    if (child !== this.child || reply.id !== this.current?.call.request.id) return;
    const { call, timer } = this.current;
    clearTimeout(timer);
    this.current = undefined;
    child.unref();
    child.channel?.unref();
    if (reply.ok) call.resolve(reply.value);
    else call.reject(new RepositoryError(reply.reason, reply.message));
    this.next();
  }

  private lost(child: ChildProcess, cause: Error): void {
    if (child !== this.child) return;
    this.end(new RepositoryError('crashed', `the reading process was lost: ${cause.message}`, { cause }));
  }

  private end(error: RepositoryError): void {
    this.child?.kill('SIGKILL');
    this.child = undefined;
    const current = this.current;
    this.current = undefined;
    if (current) {
      clearTimeout(current.timer);
      current.call.reject(error);
    }
    if (!this.closed) this.next();
  }
}
