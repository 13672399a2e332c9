import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import { Demultiplexer } from './demultiplexer.ts';

export interface EngineCommand {
  argv: string[];
  user: string;
  env?: string[];
  input?: Buffer | undefined;
  receive(stream: 'stdout' | 'stderr', bytes: Buffer): void;
}

/** A command that the engine runs in a container. */
export interface RunningCommand {
  /** Settles when the engine has closed the stream: the command has ended, or the connection has. */
  ended: Promise<void>;
  /** Stops carrying output. The command runs on: the engine does not end a command whose client went away. */
  close(): void;
  /** Waits until the engine knows the exit code, at most two seconds. Undefined where it does not by then. */
  exitCode(): Promise<number | undefined>;
}

const POLLS = 80;
const POLL_MS = 25;

/**
 * Docker Engine API: exec create, exec start with the connection upgraded, exec inspect. The working folder is `/` here
 * because the engine reports a missing one as output of the command.
 */
export async function startInContainer(container: Docker.Container, command: EngineCommand): Promise<RunningCommand> {
  const exec = await container.exec({
    Cmd: command.argv,
    User: command.user,
    WorkingDir: '/',
    Env: command.env ?? [],
    AttachStdin: command.input !== undefined,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
  });
  const stream = await exec.start({ hijack: true, stdin: command.input !== undefined });
  const ended = consume(stream, command);
  if (command.input !== undefined) stream.write(command.input);
  return {
    ended,
    close: () => void stream.destroy(),
    exitCode: () => pollExitCode(exec),
  };
}

/** Runs a command of ours whose output is small, for at most `seconds`. */
export async function runInContainer(
  container: Docker.Container,
  command: Omit<EngineCommand, 'receive'>,
  seconds: number,
): Promise<{ exitCode: number | undefined; stdout: Buffer }> {
  const pieces: Buffer[] = [];
  const receive = (stream: string, bytes: Buffer) => {
    if (stream === 'stdout') pieces.push(Buffer.from(bytes));
  };
  const running = await startInContainer(container, { ...command, receive });
  const inTime = await withinSeconds(running.ended, seconds);
  running.close();
  return { exitCode: inTime ? await running.exitCode() : undefined, stdout: Buffer.concat(pieces) };
}

/** False where `promise` did not settle in time. */
async function withinSeconds(promise: Promise<unknown>, seconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), seconds * 1000);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** An error of the connection is no error here: what became of the command is asked of the engine afterwards. */
function consume(stream: Duplex, command: EngineCommand): Promise<void> {
  const frames = new Demultiplexer((name, bytes) => command.receive(name, bytes));
  return new Promise((resolve) => {
    stream.on('data', (piece: Buffer) => frames.push(piece));
    stream.once('end', resolve);
    stream.once('close', resolve);
    stream.on('error', () => resolve());
  });
}

async function pollExitCode(exec: Docker.Exec): Promise<number | undefined> {
  for (let poll = 0; poll < POLLS; poll += 1) {
    const state = await exec.inspect();
    if (!state.Running && state.ExitCode !== null) return state.ExitCode;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}
