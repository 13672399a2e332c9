import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EnvironmentError } from '../../src/domain/errors.ts';
import type { GitHubFront } from '../github-front/github-front.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const REMEDY = 'Look at the log; `npm run doctor` checks this machine.';

export type LogLine = Record<string, unknown>;

/** Fathom as `npm start` starts it: a process of its own that is told of GitHub, its data and its model, and no more. */
export interface FathomServer {
  url: string;
  pid: number;
  dataDir: string;
  /** Resolves when it has ended by itself. */
  ended: Promise<void>;
  /** In good order, with what it may still have running. */
  stop(): Promise<void>;
}

export interface FathomOptions {
  front: GitHubFront;
  /** For its data; empty. */
  folder: string;
  variables: Record<string, string>;
  logFile: string;
  /** Another way to start it than `npm start`'s, as the arguments of Node. */
  program?: string[];
  /** Hears every line of its log. */
  onLine(line: LogLine): void;
}

/** @throws EnvironmentError when it ends before it is ready. */
export async function startFathom(options: FathomOptions): Promise<FathomServer> {
  const { front, folder, variables, logFile, program = [MAIN] } = options;
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { recursive: true });
  // A group of its own: Ctrl-C reaches this process alone, which then ends the other in good order.
  const child = spawn(process.execPath, program, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inherited(), ...variables, ...appVariables(front, dataDir) },
  });
  const log = createWriteStream(logFile);
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-2000);
    log.write(text);
  });
  const ended = new Promise<void>((done) => child.once('close', () => log.end(done)));
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      log.write(`${text}\n`);
      const line = parsed(text);
      if (line['msg'] === 'ready') resolve(Number(line['port']));
      options.onLine(line);
    });
    child.once('error', (cause) => reject(new EnvironmentError('start', 'Fathom cannot start', REMEDY, { cause })));
    child.once('close', () => reject(new EnvironmentError('start', `Fathom did not start\n${complaints}`, REMEDY)));
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  };
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, dataDir, ended, stop };
}

function appVariables(front: GitHubFront, dataDir: string): Record<string, string> {
  return {
    APP_ID: String(front.appId),
    PRIVATE_KEY: front.privateKey,
    WEBHOOK_SECRET: front.webhookSecret,
    GITHUB_API_URL: front.url,
    FATHOM_DATA: dataDir,
    FATHOM_DRAIN_SECONDS: '0',
    FATHOM_LOG_LEVEL: 'debug',
    PORT: '0',
  };
}

/** What a program needs of this machine; nothing that configures another Fathom. */
function inherited(): NodeJS.ProcessEnv {
  const wanted =
    /^(PATH|HOME|TMPDIR|LANG|LC_\w+|TZ|DOCKER_\w+|XDG_RUNTIME_DIR|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|\w+_proxy)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => wanted.test(name)));
}

function parsed(text: string): LogLine {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return { msg: text };
  }
}
