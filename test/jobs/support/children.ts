import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InboxEntry } from '../../../src/domain/inbox.ts';
import { until } from './worker.ts';

export interface Line {
  at: number;
  pid: string;
  what: string;
  run: string;
  stage: string;
}

/** Processes that work on one database and write down what they do. */
export interface Children {
  dataDir: string;
  /** Resolves when it takes jobs. */
  start(options?: { stageMs?: number; concurrency?: number }): Promise<ChildProcess>;
  lines(what?: string): Line[];
  accept(child: ChildProcess, entry: InboxEntry): Promise<unknown>;
  /** kill -9; resolves when it is gone. */
  kill(child: ChildProcess): Promise<void>;
  remove(): Promise<void>;
}

export function createChildren(url: string | undefined): Children {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-children-'));
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const children: ChildProcess[] = [];
  const lines = (what?: string) =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [at = '', pid = '', did = '', run = '', stage = ''] = line.split(' ');
        return { at: Number(at), pid, what: did, run, stage };
      })
      .filter((line) => what === undefined || line.what === what);
  const kill = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  return {
    dataDir: join(folder, 'data'),
    lines,
    kill,
    async start({ stageMs = 100, concurrency = 4 } = {}) {
      const script = join(import.meta.dirname, 'staged-worker.ts');
      const args = [url ?? '', join(folder, 'data'), log, String(stageMs), String(concurrency)];
      const child = fork(script, args, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      children.push(child);
      await until(() => lines('ready').some((line) => line.pid === String(child.pid)));
      return child;
    },
    accept: (child, entry) =>
      new Promise((resolve) => {
        child.once('message', resolve);
        child.send(entry);
      }),
    async remove() {
      for (const child of children) await kill(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
