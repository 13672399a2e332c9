import type Docker from 'dockerode';
import { SandboxError } from '../domain/errors.ts';
import { COMMAND_USER } from './container-options.ts';
import { runInContainer } from './engine-exec.ts';
import type { SandboxLimits } from './limits.ts';

const SECONDS = 30;
const NO_FILE = 44;
const READ = `[ -f "$1" ] && [ -r "$1" ] || exit ${NO_FILE}; exec head -c "$2" <"$1"`;
/** `noclobber` refuses a link that was put there beforehand. */
const SPILL = 'umask 022; [ "$3" ] && rm -f -- "$3"; set -C; head -c "$2" >"$1"';

/**
 * Reads and writes files as the container itself sees them, its memory file systems included, through programs in it:
 * no link in the container can lead to a file outside.
 */
export class ContainerFiles {
  readonly #container: Docker.Container;
  readonly #limits: SandboxLimits;
  #spilled = 0;

  constructor(container: Docker.Container, limits: SandboxLimits) {
    this.#container = container;
    this.#limits = limits;
  }

  /** At most `limit` bytes; undefined where there is no such regular file that commands may read. */
  async read(path: string, limit: number): Promise<Buffer | undefined> {
    const argv = ['bash', '-c', READ, 'fathom-read', path, String(limit)];
    const { exitCode, stdout } = await runInContainer(this.#container, { argv, user: COMMAND_USER }, SECONDS);
    if (exitCode === NO_FILE) return undefined;
    if (exitCode === 0) return stdout.subarray(0, limit);
    throw new SandboxError(`cannot read ${path} in the container`, 'Look at the image: it needs bash and head.');
  }

  /** Where the output can now be read in the container; undefined where its `/tmp` has no room for it. */
  async spill(output: Buffer): Promise<string | undefined> {
    this.#spilled += 1;
    const path = spillPath(this.#spilled);
    const oldest = this.#spilled > this.#limits.spills ? spillPath(this.#spilled - this.#limits.spills) : '';
    const argv = ['bash', '-c', SPILL, 'fathom-spill', path, String(output.length), oldest];
    const command = { argv, user: COMMAND_USER, input: output };
    const { exitCode } = await runInContainer(this.#container, command, SECONDS);
    return exitCode === 0 ? path : undefined;
  }
}

const spillPath = (number: number): string => `/tmp/command-output-${number}.txt`;
