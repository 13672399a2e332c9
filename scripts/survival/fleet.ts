import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FathomServer, type LogLine, startFathom } from '../demo/start-fathom.ts';
import type { GitHubFront } from '../github-front/github-front.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const CLI = join(import.meta.dirname, '../../src/cli/main.ts');
const WEBHOOKS = '/api/github/webhooks';

import { askToHold, type Hold, holdingArguments } from './hold.ts';

/** `server`: `npm start`, which takes the deliveries and works. `worker`: `fathom worker`. */
export type MemberName = 'server' | 'worker';

/** The processes of one Fathom: a server, and on PostgreSQL a worker beside it. */
export interface Fleet {
  /** Hears every line of every log, with who wrote it. Gives the function that ends it. */
  listen(listener: (line: LogLine, from: MemberName) => void): () => void;
  /** Resolves when it is ready. */
  start(name: MemberName): Promise<void>;
  /** `kill -9`, at once; resolves when the process is gone. */
  kill(name: MemberName): Promise<void>;
  /** Whoever writes this line from now on holds still after it. Gives the function that takes it back. */
  hold(hold: Hold): () => void;
  server(): FathomServer;
  dataDir(name: MemberName): string;
  stop(): Promise<void>;
}

export interface FleetOptions {
  front: GitHubFront;
  folder: string;
  variables: Record<string, string>;
  /** Another server than `npm start`'s, as the arguments of Node. */
  program?: string[];
}

export function createFleet({ front, folder, variables, program = [MAIN] }: FleetOptions): Fleet {
  const listeners = new Set<(line: LogLine, from: MemberName) => void>();
  const members = new Map<MemberName, FathomServer>();
  const starts = { count: 0 };
  const holdFile = join(folder, 'hold.json');
  const killAll = () => {
    for (const { pid } of members.values()) signal(pid);
  };
  process.on('exit', killAll);
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start(name) {
      const place = join(folder, name);
      mkdirSync(place, { recursive: true });
      starts.count += 1;
      const member = await startFathom({
        front,
        folder: place,
        variables,
        logFile: join(place, `${starts.count}.log`),
        program: [...holdingArguments(holdFile), ...(name === 'worker' ? [CLI, 'worker'] : program)],
        onLine: (line) => {
          for (const listener of listeners) listener(line, name);
        },
      });
      members.set(name, member);
      if (name === 'server') front.deliveries.setUrl(`${member.url}${WEBHOOKS}`);
    },
    async kill(name) {
      const member = members.get(name);
      if (member === undefined) return;
      signal(member.pid);
      await member.ended;
      members.delete(name);
    },
    hold: (hold) => askToHold(holdFile, hold),
    server: () => members.get('server') ?? missing(),
    dataDir: (name) => join(folder, name, 'data'),
    async stop() {
      await Promise.all([...members.values()].map((member) => member.stop()));
      members.clear();
      process.off('exit', killAll);
    },
  };
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function missing(): never {
  throw new Error('the server does not run');
}
